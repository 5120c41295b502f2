// A move that is asked about once more. The question stands over the buttons until it is answered, something else is chosen or
// pressed, or the table has moved on.

const board = () => document.querySelector("#board form");
let pending = null;  // the question, the form of its answers, and what was pressed

export function ask(form, submitter, text) {
  forget();
  const page = new DOMParser().parseFromString(text, "text/html");
  submitter?.closest("[popover]")?.hidePopover();
  pending = { question: page.getElementById("confirm"), answers: page.getElementById("confirm-it"), pressed: submitter?.id };
  pending.question.autofocus = false;
  putUp();
  pending.question.focus({ preventScroll: true });
  pending.question.scrollIntoView({ block: "nearest" });
}

function putUp() {
  document.querySelector("#table").append(pending.answers);
  const place = document.querySelector("#table [data-confirm]");
  if (place) place.prepend(pending.question);
  else board().append(pending.question);
}

function forget() {
  pending?.question.remove();
  pending?.answers.remove();
  pending = null;
}

const isOvertaken = () => ["number", "undone"].some((name) =>
  (pending.answers.elements[name]?.value ?? "0") !== (board()?.elements[name]?.value ?? "0"));

document.addEventListener("focusin", ({ target }) => {
  if (pending) pending.focused = pending.question.contains(target) ? target : null;
});
// The server sends the table without the question.
document.addEventListener("htmx:after:swap", () => {
  if (!pending) return;
  if (isOvertaken()) return forget();
  putUp();
  if (document.activeElement === document.body) pending.focused?.focus({ preventScroll: true });
});
document.addEventListener("kontor:refused", forget);
document.addEventListener("input", ({ target }) => { if (target.form === board()) forget(); });
document.addEventListener("submit", ({ target }) => { if (target === board()) forget(); }, true);
document.addEventListener("click", (event) => {
  if (event.target.id !== "confirm-no" || !pending) return;
  event.preventDefault();
  const { pressed } = pending;
  forget();
  document.getElementById(pressed)?.focus();
});
