// Commands that are typed: what is answered is added below what was said before, in a live region that stays the same element. What
// a move changes comes by the stream.

const KEPT = 12;
const sheet = () => document.getElementById("typed");
const field = () => document.getElementById("typed-field");

function addLine(text, kind = "") {
  const line = document.createElement("p");
  line.textContent = text;
  line.className = kind;
  const answers = document.getElementById("typed-answer");
  answers.append(line);
  while (answers.children.length > KEPT) answers.firstElementChild.remove();
  answers.scrollTop = answers.scrollHeight;
}

async function ask(form) {
  const body = new URLSearchParams(new FormData(form));
  // The page may have gone on since the form was made, and show another seat.
  for (const name of ["number", "undone", "as", "token"]) {
    const now = document.querySelector(`#board input[name="${name}"]`);
    if (now) body.set(name, now.value);
  }
  const typed = form.elements.typed.value;
  const answer = await fetch(form.action, { method: "POST", body, headers: { "hx-request": "true" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const question = page.querySelector("[data-asks]");
  addLine(typed || "↵", "by-me");
  for (const line of question ? question.children : page.querySelectorAll("p")) addLine(line.textContent);
  form.elements.asked.value = question?.dataset.asks ?? "";
  if (answer.ok && form.elements.typed.value === typed) form.elements.typed.value = "";
  document.dispatchEvent(new Event("kontor:commanded"));
}

// Before any other form's way is taken.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "typed-form") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  ask(form)
    .catch(() => addLine(document.getElementById("unanswered").content.textContent))
    .finally(() => { delete form.dataset.busy; });
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && sheet()?.contains(event.target) && sheet().matches(":popover-open")) sheet().hidePopover();
});
document.addEventListener("toggle", (event) => {
  if (event.target === sheet() && event.newState === "open") field().focus();
}, true);
