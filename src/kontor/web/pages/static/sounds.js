// Quiet sounds of our own, for whoever switches them on: dice, my turn, little time left, talk. None is loaded: each is a
// few strokes, made here.

const KEPT = "kontor-sounds";
const LOUDNESS = 0.12;

let context = null;
let on = false;
try {
  on = localStorage.getItem(KEPT) === "on";
} catch { /* a browser that keeps nothing is asked again on each page */ }

export const SOUNDS = {
  dice: () => [0, 0.09, 0.15, 0.24, 0.29].forEach((at, n) => knock(at, 1400 - 150 * n, 0.05)),
  turn: () => { ring(0, 660, 0.9); ring(0.14, 880, 1.1); },
  time: () => { knock(0, 2400, 0.03); knock(0.5, 2000, 0.03); },
  talk: () => ring(0, 520, 0.25),
};

// A sound that is asked for before anything was pressed on the page is one that browsers keep back.
export function sound(name) {
  if (!on || document.hidden && name !== "turn") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
  document.dispatchEvent(new CustomEvent("kontor:sounded", { detail: name }));
}

// Two partials that die away, as of a ship's bell.
function ring(at, pitch, lasts) {
  for (const [times, share] of [[1, 1], [2.76, 0.3]]) {
    const tone = new OscillatorNode(context, { frequency: pitch * times });
    tone.connect(fading(at, LOUDNESS * share, lasts / times));
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + lasts);
  }
}

// A breath of noise round a pitch, as of wood on wood.
function knock(at, pitch, lasts) {
  const buffer = new AudioBuffer({ length: Math.ceil(context.sampleRate * lasts), sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1;
  const noise = new AudioBufferSourceNode(context, { buffer });
  const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 4 });
  noise.connect(wood).connect(fading(at, 4 * LOUDNESS, lasts));
  noise.start(context.currentTime + at);
}

function fading(at, loudness, lasts) {
  const gain = new GainNode(context, { gain: 0 });
  const begins = context.currentTime + at;
  gain.gain.setValueAtTime(loudness, begins);
  gain.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
  gain.connect(context.destination);
  return gain;
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
