// Quiet sounds of our own, for whoever switches them on: dice, my turn, little time left, talk. How they are made is fetched
// with the first.

const KEPT = "kontor-sounds";

let context = null;
let on = false;
try {
  on = localStorage.getItem(KEPT) === "on";
} catch { /* a browser that keeps nothing is asked again on each page */ }

// A sound that is asked for before anything was pressed on the page is one that browsers keep back.
export async function sound(name) {
  if (!on || document.hidden && name !== "turn") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  const tones = await import("./tones.js").catch(() => null);  // no line, no sound
  if (!tones) return;
  tones.play(context, name);
  document.dispatchEvent(new CustomEvent("kontor:sounded", { detail: name }));
}

// ------------------------------------------------------------------------------------------------------- the switch

document.addEventListener("click", (event) => {
  if (event.target.id !== "sounds") return;
  on = !on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch { /* it holds for this page */ }
  showSwitch();
  sound("turn");
});

function showSwitch() {
  const button = document.getElementById("sounds");
  if (!button) return;
  button.hidden = !window.AudioContext;
  button.ariaPressed = String(on);
}
document.addEventListener("htmx:after:swap", showSwitch);
showSwitch();

// ---------------------------------------------------------------------------------------------------------- the dice

// Dice that lie there now, and did not before.
const thrown = () => new Set([...document.querySelectorAll("[data-dice]")].map((dice) => dice.id));
let before = thrown();
document.addEventListener("kontor:shown", () => {
  const now = thrown();
  if ([...now].some((dice) => !before.has(dice))) sound("dice");
  before = now;
});
