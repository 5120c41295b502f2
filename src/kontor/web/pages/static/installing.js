// What goes on beside the pages of an installed app: its service worker, and the badge.

const BASE = new URL("../../", import.meta.url); // of the server, which may be below a path
navigator.serviceWorker.register(new URL("service-worker.js", BASE)).catch(() => {}); // without it all works, but for being offline

// The badge tells at how many tables it is my turn. The title of the lobby says it; elsewhere the server is asked.
async function countWaiting() {
  if (location.pathname === BASE.pathname) return Number(document.title.match(/\d+/)?.[0] ?? 0);
  const answer = await fetch(new URL("you/waiting", BASE), { cache: "no-store" });
  if (!answer.ok) throw new Error("not counted");
  return (await answer.json()).waiting;
}

// Each count that begins makes those before it void: answers may arrive in another order.
let counts = 0;
async function showBadge() {
  if (!navigator.setAppBadge) return;
  const count = ++counts;
  try {
    const waiting = await countWaiting();
    if (count === counts) await (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge());
  } catch { /* the server is not there just now, or the system shows no badges */ }
}

// Whose turn it is at the table of this page.
const turnHere = () => document.getElementById("state")?.dataset.turn;
let turn = turnHere();
document.addEventListener("htmx:after:swap", () => {
  const before = turn;
  turn = turnHere();
  if (turn !== before) showBadge();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) showBadge(); });
new MutationObserver(() => { if (location.pathname === BASE.pathname) showBadge(); }).observe(document.querySelector("title"), { childList: true });
showBadge();
