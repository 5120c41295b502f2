// Shows what the server tells while no page is open, keeps the subscription by which it is told, and says so kindly when
// there is no network. It does nothing else.

// Addresses are relative to this script's own, which is that of the server: it may be below a path.
const OFFLINE = "offline";
const KEPT = "kontor-offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" }))));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)));
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag, waiting } = event.data.json();
  const notification = self.registration.showNotification(title, { body, tag, data: { url } });
  event.waitUntil(Promise.all([notification, showBadge(waiting)]));
});

// At how many tables it is my turn; without a number, that it is somewhere.
function showBadge(waiting) {
  return waiting === 0 ? self.navigator.clearAppBadge?.() : self.navigator.setAppBadge?.(...(waiting ? [waiting] : []));
}

// Browsers replace a subscription at any time, and push services end one. The new one takes the place of the old one at the
// server, if its person still has that: somebody else may use this browser now, or it may have been removed.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.oldSubscription?.endpoint)));
self.addEventListener("message", (event) => { if (event.data === "visit") event.waitUntil(renew()); });

async function renew(old) {
  if (Notification.permission !== "granted") return;
  const answer = await fetch("you/push", { cache: "no-store" });
  if (!answer.ok) return;
  const { key, token, known } = await answer.json();
  const current = await self.registration.pushManager.getSubscription();
  const takes = current && isSignedBy(current, key) ? known[await digest(current.endpoint)] : false;
  if (takes) return remember(current.endpoint);
  const before = old ?? (await remembered()) ?? current?.endpoint;
  if (!before || !(await digest(before) in known)) return;
  const subscription = takes === undefined ? current : await subscribe(key, current);
  const { endpoint, keys } = subscription.toJSON();
  const renewed = await fetch("you/push/renew", { method: "POST", body: new URLSearchParams({ token, old: before, endpoint, ...keys }) });
  if (renewed.ok) await remember(endpoint);
}

async function subscribe(key, current) {
  await current?.unsubscribe();
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function isSignedBy(subscription, key) {
  const used = subscription.options?.applicationServerKey;
  if (!used) return true; // not every browser says it
  const text = btoa(String.fromCharCode(...new Uint8Array(used)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The last subscription that the server had: the browser itself tells of none that has run out.
const ENDPOINT = "endpoint";
const remember = async (endpoint) => (await caches.open(KEPT)).put(ENDPOINT, new Response(endpoint));
const remembered = async () => (await (await caches.open(KEPT)).match(ENDPOINT))?.text();

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const tab = open.find((page) => new URL(page.url).pathname === url.pathname);
    await (tab ? tab.focus() : self.clients.openWindow(url.href));
  })());
});
