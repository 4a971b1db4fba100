// The service worker: keeps the files of the shell, so that it opens at once, and a page for when the console cannot be
// reached. It never touches the API, the live connection or anything that is not a file of the build.
const SHELL = __SHELL__
const CACHE = "shell-__VERSION__"
const OFFLINE = "/offline.html"

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting())
  )
})

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim())
  )
})

// Names with a hash never change their content: what is here is right for good.
const asset = async (request) => {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

const page = async (request) => {
  try {
    return await fetch(request)
  } catch {
    const cache = await caches.open(CACHE)
    return (await cache.match(OFFLINE)) ?? Response.error()
  }
}

// Without a network the offline page still needs its few files.
const smallFile = async (request) => {
  try {
    return await fetch(request)
  } catch {
    const cache = await caches.open(CACHE)
    return (await cache.match(request)) ?? Response.error()
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== "GET" || url.origin !== self.location.origin) return
  if (/^\/(api|ws|health|metrics)(\/|$)/.test(url.pathname)) return
  if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request))
  else if (request.mode === "navigate") event.respondWith(page(request))
  else if (SHELL.includes(url.pathname)) event.respondWith(smallFile(request))
})

// Phones show the page's notifications through the worker: a click opens the session, in an open window if there is one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  const path = event.notification.data?.path
  if (typeof path !== "string" || !path.startsWith("/")) return
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(([client]) => {
      if (client === undefined) return self.clients.openWindow(path)
      client.postMessage({ type: "navigate", path })
      return client.focus()
    })
  )
})
