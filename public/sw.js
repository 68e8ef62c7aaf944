// Says that there is no network where a page cannot be fetched. It keeps that one page and nothing else: what the server
// answers, and which release it has, is always asked for.
const KEPT = 'offline-1'
const OFFLINE = `${self.registration.scope}offline.html`

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.add(new Request(OFFLINE, { cache: 'reload' }))).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))).then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith(fetch(event.request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()))
})
