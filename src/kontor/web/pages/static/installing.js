// What goes on beside the pages of an installed app: its service worker, and the badge.

navigator.serviceWorker.register("/service-worker.js").catch(() => {}); // without it all works, but for being offline
showBadge();
new MutationObserver(showBadge).observe(document.querySelector("title"), { childList: true });

// As many as wait for me: the title of the lobby says it.
function showBadge() {
  if (location.pathname !== "/" || !navigator.setAppBadge) return;
  const waiting = Number(document.title.match(/\d+/)?.[0] ?? 0);
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}
