// On one's own page: this browser subscribes to notifications, and says which clock it goes by.

// What a browser answered once it remembers: whoever has said no is told how that is changed, and is asked no more.
function offerPush() {
  const button = document.getElementById("push-go");
  if (!button || !navigator.serviceWorker || !window.PushManager || !window.Notification) return;
  const denied = Notification.permission === "denied";
  document.getElementById("push-denied").hidden = !denied;
  button.hidden = denied;
}

async function subscribe(button) {
  if ((await Notification.requestPermission()) !== "granted") return offerPush();
  await navigator.serviceWorker.register(new URL("../../service-worker.js", import.meta.url));
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: button.dataset.key });
  const { endpoint, keys } = subscription.toJSON();
  const form = button.form;
  Object.entries({ endpoint, ...keys }).forEach(([name, value]) => { form.elements[name].value = value; });
  form.requestSubmit();
}

// Names that some browsers still give, and the list has no more.
const RENAMED = { "Asia/Calcutta": "Asia/Kolkata", "Asia/Katmandu": "Asia/Kathmandu", "Asia/Rangoon": "Asia/Yangon", "Asia/Saigon": "Asia/Ho_Chi_Minh", "Europe/Kiev": "Europe/Kyiv" };

// Until somebody has chosen one, the browser's own stands in the list.
function proposeZone() {
  const list = document.getElementById("zone");
  if (!list || list.dataset.chosen) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const names = [...list.options].map((option) => option.value);
  const name = [RENAMED[timeZone], timeZone].find((each) => names.includes(each));
  if (name) list.value = name;
}

document.addEventListener("click", (event) => { if (event.target.id === "push-go") subscribe(event.target); });
document.addEventListener("kontor:turned", () => { offerPush(); proposeZone(); });
navigator.permissions?.query({ name: "notifications" }).then((permission) => { permission.onchange = offerPush; }, () => {}); // some browsers cannot be asked so
offerPush();
proposeZone();
