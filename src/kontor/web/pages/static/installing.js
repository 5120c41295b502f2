// What goes on beside the pages: the service worker, by which a browser is told of turns, and the badge of an installed app.

const installed = () => matchMedia("(display-mode: standalone)").matches;
const register = () => navigator.serviceWorker.register("/service-worker.js");

export function beginInstalled() {
  if (installed() && navigator.serviceWorker) register().catch(() => {}); // without it all works but for being offline
  showBadge();
}

// As many as wait for me, as the lobby says.
export function showBadge() {
  const waiting = document.querySelector("main[data-waiting]")?.dataset.waiting;
  if (waiting === undefined || !installed() || !navigator.setAppBadge) return;
  (Number(waiting) ? navigator.setAppBadge(Number(waiting)) : navigator.clearAppBadge()).catch(() => {});
}

// The button is offered where the browser can do it, and fills in the form behind it.
export function offerPush() {
  const button = document.getElementById("push-go");
  if (button && navigator.serviceWorker && window.PushManager) button.hidden = false;
}

export async function subscribe(button) {
  if ((await Notification.requestPermission()) !== "granted") return;
  await register();
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: button.dataset.key });
  const { endpoint, keys } = subscription.toJSON();
  const form = button.form;
  Object.entries({ endpoint, ...keys }).forEach(([name, value]) => { form.elements[name].value = value; });
  form.requestSubmit();
}
