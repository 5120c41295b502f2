// What is dragged, by mouse, pen or finger, to where it belongs: let go there, it is as if one had pressed that place. What can be
// dragged can also be pressed; dragging is never the only way.

const FAR = 8;
let held = null;

const within = ({ left, right, top, bottom }, { clientX: x, clientY: y }) => left <= x && x <= right && top <= y && y <= bottom;

// What is grasped is told to the game's own script. It may answer by `detail.drag`, with the `thing`, the `part` of it that follows the
// hand, the `places` where it can go, and `drop`, which lets it go over one of these.
function grasp(event) {
  if (!event.isPrimary || event.button) return;
  const drag = ({ thing, part = thing, places, drop }) => {
    if (!places.length) return;
    const scale = part.ownerSVGElement?.getScreenCTM().a ?? 1;
    held = { thing, part, places, drop, scale, from: event, over: null, moving: false };
  };
  event.target.dispatchEvent(new CustomEvent("kontor:grasped", { bubbles: true, detail: { drag } }));
}

function move(event) {
  if (held?.from.pointerId !== event.pointerId) return;
  const [x, y] = [event.clientX - held.from.clientX, event.clientY - held.from.clientY];
  if (!held.moving && Math.hypot(x, y) < FAR) return;
  if (!held.moving) begin();
  held.part.style.translate = `${x / held.scale}px ${y / held.scale}px`;
  const over = held.places.find((place) => within(place.getBoundingClientRect(), event)) ?? null;
  if (over === held.over) return;
  held.over?.classList.remove("over");
  over?.classList.add("over");
  held.over = over;
}

function begin() {
  held.moving = true;
  held.thing.setPointerCapture(held.from.pointerId);
  held.part.classList.add("held");
  for (const place of held.places) place.classList.add("awaits");
}

function letGo(event) {
  if (!held || held.from.pointerId !== event.pointerId) return;
  const { over, drop, moving } = held;
  release();
  if (!moving) return;
  // The click that follows was none.
  const unmeant = (click) => { click.preventDefault(); click.stopPropagation(); };
  document.addEventListener("click", unmeant, { capture: true });
  setTimeout(() => {
    document.removeEventListener("click", unmeant, { capture: true });
    if (over) drop(over);
  });
}

function release() {
  if (!held) return;
  held.part.style.translate = "";
  held.part.classList.remove("held");
  for (const place of held.places) place.classList.remove("awaits", "over");
  held = null;
}

// A finger that has grasped something does not scroll. (`touch-action` would say so too, but not of what is in a drawing.)
document.getElementById("table")?.addEventListener("touchmove", (event) => { if (held) event.preventDefault(); }, { passive: false });
document.addEventListener("pointerdown", grasp);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", release);
document.addEventListener("htmx:before:swap", release);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") release(); });
