// A file that is chosen, or dropped anywhere on the page, is read into the field, from which the form is sent. Where no
// scripts run the form sends the file itself.

const form = document.getElementById("bring");
const file = document.getElementById("file");
const field = document.getElementById("record");
const tooLarge = document.getElementById("too-large");
file.removeAttribute("name");

async function read(chosen) {
  tooLarge.hidden = chosen.size <= Number(form.dataset.most);
  if (!tooLarge.hidden) return false;
  field.value = await chosen.text();
  return true;
}

file.addEventListener("change", async () => {
  if (file.files[0] && await read(file.files[0])) document.getElementById("bring-go").focus();
});

const brings = (event) => event.dataTransfer?.types.includes("Files");

document.addEventListener("dragover", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  form.classList.add("over");
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("over");
});

document.addEventListener("drop", async (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  form.classList.remove("over");
  if (event.dataTransfer.files[0] && await read(event.dataTransfer.files[0])) form.requestSubmit();
});
