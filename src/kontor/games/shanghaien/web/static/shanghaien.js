// A die just rolled is dragged to its card, and a joker to the sailors of its nation.
document.addEventListener("kontor:grasped", ({ target, detail }) => {
  const die = target.closest("button.thrown");
  const lands = die && document.getElementById(die.id.replace("do-place", "land"));
  if (lands) detail.drag({ thing: die, part: die.querySelector(".die"), places: [lands.parentElement], drop: () => lands.click() });

  const half = target.closest("button.half.upper");
  if (!half) return;
  const jokers = document.querySelectorAll(`#${half.getAttribute("popovertarget")} [name="move"]`);
  const gangs = new Map([...jokers].map((joker) => [document.querySelector(`#sh-lineup-mine .tone-${joker.value.at(-1)}`), joker]));
  detail.drag({ thing: half, part: half.parentElement, places: [...gangs.keys()], drop: (gang) => gangs.get(gang).click() });
});

// The overviews (Y7) open by a tap; here also by looking: while the mouse rests on what opens them, or the focus is there.

let peeking = null;  // the button by which a sheet stands open only for a look
let waiting = 0;

const sheetOf = (button) => document.getElementById(button.getAttribute("popovertarget"));
const openerOf = (event) => event.target.closest?.("[data-peek]");

function peek(button) {
  leave();
  const sheet = sheetOf(button);
  if (!sheet || document.querySelector(".sheet:popover-open")) return;
  peeking = button;
  sheet.classList.add("peek");
  sheet.showPopover({ source: button });
}

function leave() {
  clearTimeout(waiting);
  if (!peeking) return;
  const sheet = sheetOf(peeking);
  peeking = null;
  sheet?.classList.remove("peek");
  if (sheet?.matches(":popover-open")) sheet.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  const button = openerOf(event);
  if (!button || event.pointerType !== "mouse" || button === peeking) return;
  clearTimeout(waiting);
  waiting = setTimeout(peek, 250, button);
});
document.addEventListener("pointerout", (event) => {
  if (openerOf(event) && !openerOf(event).contains(event.relatedTarget)) leave();
});
document.addEventListener("focusin", (event) => {
  const button = openerOf(event);
  if (button && button === peeking) return;
  if (button?.matches(":focus-visible")) peek(button);
  else if (peeking && !event.target.closest(".sheet")) leave();
});

// Whoever presses what they look at wants it to stay.
document.addEventListener("click", (event) => {
  const button = openerOf(event);
  clearTimeout(waiting);
  if (!button || button !== peeking) return;
  event.preventDefault();
  peeking = null;
  sheetOf(button).classList.remove("peek");
}, true);
document.addEventListener("toggle", (event) => {
  if (event.newState !== "closed" || !event.target.matches?.(".sheet")) return;
  event.target.classList.remove("peek");
  if (peeking && sheetOf(peeking) === event.target) peeking = null;
}, true);
