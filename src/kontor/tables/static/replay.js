// Looking back: a slider, keys, and a game that plays back by itself. What is shown comes from the server, by the addresses of
// the links; where no scripts run they are enough.

const byId = (id) => document.getElementById(id);
const replay = byId("replay");
const slider = byId("place");
const play = byId("step-play");

// ------------------------------------------------------------------------------------------------------- showing

// Of two that were asked for the last is shown. The controls stay: nothing moves under the pointer, and no focus is lost.
let latest = 0;
async function show(address) {
  const mine = ++latest;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== latest) return;
  const focused = document.activeElement.id;
  for (const part of replay.querySelectorAll("[data-part]")) part.replaceChildren(...page.getElementById(part.id).childNodes);
  for (const link of replay.querySelectorAll(".steps a")) {
    const now = page.getElementById(link.id);
    for (const name of ["href", "aria-disabled", "aria-current"]) {
      if (now.hasAttribute(name)) link.setAttribute(name, now.getAttribute(name));
      else link.removeAttribute(name);
    }
  }
  if (slider) slider.value = page.getElementById("place").getAttribute("value");
  if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
  history.replaceState(null, "", address);
}

// Where somebody wants to go. If no answer comes, the browser goes there itself, and says what is wrong.
const go = (address) => show(address).catch(() => location.assign(address));

// -------------------------------------------------------------------------------------------------- playing back

// Each moment stays as long as it takes to read what is told of it.
const LEAST = 1800;
const LETTER = 45;
const MOST = 6000;
let timer = null;

function wait() {
  timer = setTimeout(next, Math.min(MOST, LEAST + LETTER * byId("told").textContent.trim().length));
}

async function next() {
  if (document.hidden) return wait();
  if (isAt("step-on")) return pause();
  try {
    await show(byId("step-on").href);
  } catch {
    return pause();
  }
  if (timer) wait();
}

const isAt = (step) => byId(step).hasAttribute("aria-disabled");

async function start() {
  tell(true);
  timer = setTimeout(() => {});
  if (isAt("step-on")) await go(byId("step-first").href);
  if (timer) wait();
}

function pause() {
  clearTimeout(timer);
  timer = null;
  tell(false);
}

function tell(playing) {
  [play.firstElementChild.hidden, play.lastElementChild.hidden] = [playing, !playing];
}

// ------------------------------------------------------------------------------------------------ what is pressed

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#step-play")) return timer ? pause() : start();
  const link = event.target.closest?.("#replay nav a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  if (timer) pause();
  if (!link.hasAttribute("aria-disabled")) go(link.href);
});

// While the slider is drawn not every moment is asked for: only those at which it rests.
const REST = 120;
let resting = null;
slider?.addEventListener("input", () => {
  if (timer) pause();
  clearTimeout(resting);
  resting = setTimeout(() => go(`${slider.form.action}?${new URLSearchParams(new FormData(slider.form))}`), REST);
});

const STEPS = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writes = event.target.matches("input:not([type=range]), select, textarea");
  if (event.key === " " && play && !writes && !event.target.matches("button, summary")) {
    event.preventDefault();
    play.click();
  } else if (byId(STEPS[event.key]) && !writes && event.target !== slider) {
    event.preventDefault();
    byId(STEPS[event.key]).click();
  }
});
