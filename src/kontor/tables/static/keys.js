// Keys for whoever plays by them. What has a key says so itself, in aria-keyshortcuts: a field to write in is gone to, a drawer
// opens or closes, everything else is pressed. "?" lists what has a key just now; there they can be switched off.

const KEPT = "kontor-keys";
const WRITTEN_IN = 'input:not([type="radio"], [type="checkbox"]), select, textarea';

let on = true;
try {
  on = localStorage.getItem(KEPT) !== "off";
} catch { /* a browser that keeps nothing has them on */ }

const list = () => document.getElementById("keys");

// What can be pressed now; a field in a closed drawer, too. What lies on an open sheet comes first.
function keyed() {
  const controls = [...document.querySelectorAll("[aria-keyshortcuts]")].filter(
    (one) => !one.disabled && (one.checkVisibility({ visibilityProperty: true }) || (one.matches(WRITTEN_IN) && one.closest("details:not([open])")?.checkVisibility())));
  const onSheet = (one) => Boolean(one.closest("[popover], #confirm"));
  return controls.sort((one, other) => onSheet(other) - onSheet(one));
}

function press(one) {
  const sheet = one.popoverTargetElement;
  if (one.matches(WRITTEN_IN)) {
    const drawer = one.closest("details");
    if (drawer) drawer.open = true;
  }
  // Whoever closes a sheet goes on where they were.
  if (!sheet) one.focus({ focusVisible: true, preventScroll: Boolean(one.closest("form")) });
  if (one.matches(WRITTEN_IN)) return;
  one.click();
  if (!sheet?.matches(":popover-open")) return;
  const first = sheet.querySelector("[autofocus]") ?? sheet.querySelector("[aria-keyshortcuts], button");
  first?.focus({ focusVisible: true });
}

document.addEventListener("keydown", (event) => {
  if (!on || event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches(WRITTEN_IN)) return;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // Enter is for what has the focus, if anything has.
  if (key === "Enter" && event.target !== document.body && !["now", "confirm"].includes(event.target.id)) return;
  const one = keyed().find((each) => each.getAttribute("aria-keyshortcuts") === key);
  if (!one) return;
  event.preventDefault();
  press(one);
});

// ----------------------------------------------------------------------------------------------------------- the list

// What something is called, without what is only seen.
function called(one) {
  const label = (one.labels?.[0] ?? one).cloneNode(true);
  for (const seen of label.querySelectorAll('svg, [aria-hidden="true"], input')) seen.remove();
  return one.ariaLabel ?? label.textContent.replaceAll(/\s+/g, " ").trim().replace(/:$/, "");
}

function fill() {
  const rows = new Map();
  for (const one of keyed()) {
    const key = one.getAttribute("aria-keyshortcuts");
    if (!rows.has(key)) rows.set(key, called(one));
  }
  const written = [...rows].flatMap(([key, text]) => {
    const [term, cap, what] = ["dt", "kbd", "dd"].map((name) => document.createElement(name));
    term.append(cap);
    cap.textContent = key;
    what.textContent = text;
    return [term, what];
  });
  document.getElementById("keys-now").replaceChildren(...written);
  document.getElementById("keys-switch").ariaPressed = String(on);
}

document.addEventListener("beforetoggle", (event) => { if (event.target === list() && event.newState === "open") fill(); }, true);
document.addEventListener("click", (event) => {
  if (event.target.id !== "keys-switch") return;
  on = !on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch { /* it holds for this page */ }
  fill();
});

function offer() {
  const opener = document.getElementById("keys-open");
  if (opener) opener.hidden = false;
  if (list()?.matches(":popover-open")) fill();
}
document.addEventListener("htmx:after:swap", offer);
offer();
