// What goes on beside the pages: the service worker, by which a browser is told of turns, and the badge of an installed app.

const installed = matchMedia("(display-mode: standalone)").matches;
const register = () => navigator.serviceWorker.register("/service-worker.js");

if (installed) {
  register().catch(() => {}); // without it all works, but for being offline
  showBadge();
  new MutationObserver(showBadge).observe(document.querySelector("title"), { childList: true });
}

// As many as wait for me: the title of the lobby says it.
function showBadge() {
  if (location.pathname !== "/" || !navigator.setAppBadge) return;
  const waiting = Number(document.title.match(/\d+/)?.[0] ?? 0);
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}

// The button is offered where the browser can do it, and fills in the form behind it.
function offerPush() {
  const button = document.getElementById("push-go");
  if (button && navigator.serviceWorker && window.PushManager) button.hidden = false;
}
document.addEventListener("kontor:turned", offerPush);
offerPush();

document.addEventListener("click", (event) => { if (event.target.id === "push-go") subscribe(event.target); });

async function subscribe(button) {
  if ((await Notification.requestPermission()) !== "granted") return;
  await register();
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: button.dataset.key });
  const { endpoint, keys } = subscription.toJSON();
  const form = button.form;
  Object.entries({ endpoint, ...keys }).forEach(([name, value]) => { form.elements[name].value = value; });
  form.requestSubmit();
}
