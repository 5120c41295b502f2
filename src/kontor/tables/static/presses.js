// A double click presses the first button and then what took its place: "Roll two dice" also placed a die. So a press is ignored if
// what it falls on took the place of what was pressed just before, and has been there or the last press was made less than SETTLE
// milliseconds ago. The same holds for Enter and space, where a script moved the focus. Presses of buttons that were there already,
// and shortcuts, are never ignored.

export const SETTLE = 400;
const RECENT = 1000;  // milliseconds after a press in which the next may be one of several in a row
const NEAR = 24;  // pixels at most between two presses at one place
const CONTROLS = "button, a[href], label, input, select, summary";

let last = null;  // the last press: what, when, where, what else was there, and since when something else is in its place
let ignored = false;

// The name of a control; in a game's form it is another one with each decision.
function identify(control) {
  if (!control) return "";
  const form = control.form ?? control.control?.form;
  return `${control.id || control.htmlFor || control.textContent.trim()} ${form?.elements.number?.value ?? ""}`;
}

const controlOf = (target) => target?.closest?.(CONTROLS) ?? null;
const controlAt = (x, y) => controlOf(document.elementFromPoint(x, y));

// What Enter presses: what has the focus, or what it is the shortcut of.
function controlByKey() {
  const focused = document.activeElement;
  if (focused !== document.body && !["now", "confirm"].includes(focused.id)) return focused.closest("button, a[href], summary");
  return document.querySelector("#confirm-yes") ?? document.querySelector('[aria-keyshortcuts="Enter"]');
}

const nameInPlace = ({ byKey, x, y }) => identify(byKey ? controlByKey() : controlAt(x, y));

function controlsNear(x, y) {
  return [...document.querySelectorAll(CONTROLS)].filter((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return left - NEAR <= x && x <= right + NEAR && top - NEAR <= y && y <= bottom + NEAR;
  }).map(identify);
}

// Notes when something else comes to be where the last press was.
function watch() {
  if (!last || performance.now() - last.at > RECENT) return;
  const name = nameInPlace(last);
  if (name === last.under) return;
  last.under = name;
  last.since = performance.now();
}

function isUnmeant(name, byKey) {
  if (!last || last.byKey !== byKey || name === last.name || last.near.includes(name)) return false;
  watch();
  const now = performance.now();
  const sincePress = now - last.at;
  return sincePress < SETTLE || (sincePress < RECENT && now - last.since < SETTLE);
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A press that is ignored is one of several in a row, and so may be the next.
function ignore(event) {
  ignored = true;
  last.at = performance.now();
  stop(event);
}

function remember(press) {
  last = { at: performance.now(), since: -Infinity, under: press.name, ...press };
}

addEventListener("pointerdown", (event) => {
  ignored = false;
  if (!event.isPrimary || event.button) return;
  const { clientX: x, clientY: y } = event;
  const control = controlOf(event.target);
  const name = identify(control);
  const isNear = Math.hypot(x - last?.x, y - last?.y) <= NEAR;
  if (control && isNear && isUnmeant(name, false)) return ignore(event);
  if (control) remember({ name, byKey: false, x, y, near: controlsNear(x, y) });
  else if (isNear) last.at = performance.now();  // on nothing, where a button has just gone: one of several in a row
  else last = null;
}, true);

addEventListener("keydown", (event) => {
  ignored = false;
  const pressing = event.key === "Enter" || event.key === " " ? controlByKey() : null;
  if (!pressing) {
    last = null;
    return;
  }
  const name = identify(pressing);
  if (isUnmeant(name, true)) return ignore(event);
  if (!event.repeat) remember({ name, byKey: true, near: [...document.querySelectorAll(CONTROLS)].map(identify) });
}, true);

// The space bar presses when it is let go.
addEventListener("click", (event) => {
  if (!ignored || !event.isTrusted) return;
  ignored = false;
  stop(event);
}, true);

new MutationObserver(watch).observe(document.body, { subtree: true, childList: true, attributes: true });
for (const change of ["toggle", "focusin"]) document.addEventListener(change, watch, true);
