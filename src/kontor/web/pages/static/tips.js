// What is possible for the first time is explained once: this browser remembers what has been read.
const KEPT = "kontor-tips";
const tips = document.getElementById("tips");
const room = tips.querySelector("div");
const button = document.getElementById("tip-read");
const read = new Set((localStorage.getItem(KEPT) ?? "").split(" "));
let shown = null;

function close() {
  if (shown) localStorage.setItem(KEPT, [...read.add(shown)].join(" ").trim());
  shown = null;
  tips.hidden = true;
}

const text = (name) => room.querySelector(`[data-tip="${name}"]`);

// The moment is over, or another begins.
async function refresh() {
  const now = (document.getElementById("state")?.dataset.tips ?? "").split(" ");
  if (shown && now.includes(shown)) return;
  close();
  const next = now.find((name) => name && !read.has(name));
  if (!next) return;
  shown = next;
  if (!text(next)) room.innerHTML = await (await fetch(tips.dataset.texts)).text();
  if (shown !== next) return;
  for (const each of room.children) each.hidden = each !== text(next);
  tips.open = innerWidth > 1087;
  tips.hidden = false;
}

button.hidden = false;
button.addEventListener("click", () => {
  close();
  document.getElementById("now")?.focus();
});
document.addEventListener("htmx:after:swap", () => refresh().catch(close));
refresh().catch(close);
