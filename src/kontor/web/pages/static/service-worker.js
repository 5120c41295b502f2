// Shows what the server tells while no page is open, and says so kindly when there is no network. It does nothing else.

const OFFLINE = "/offline";
const KEPT = "kontor-offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.add(new Request(OFFLINE, { cache: "reload" }))));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)));
});

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const shown = self.registration.showNotification(title, { body, tag, data: { url } });
  event.waitUntil(Promise.all([shown, self.navigator.setAppBadge?.()]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const there = open.find((page) => new URL(page.url).pathname === url.pathname);
    await (there ? there.focus() : self.clients.openWindow(url.href));
  })());
});
