// The service worker: keeps the parts of the app, so that each screen opens at once and also without a network, and a
// page for when the console cannot be reached. It never touches the API, the live connection or anything that is not a file of the build.
const SHELL = __SHELL__
const LATER = __LATER__
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

// Which tabs of an earlier version still need what it kept: their ids, in its own cache. A reload gives a tab another id.
const TABS = "/tabs-of-this-version"
const openTabs = async () => (await self.clients.matchAll({ includeUncontrolled: true })).map(({ id }) => id)
const tabsOf = async (cache) => (await cache.match(TABS))?.json()

// Keeps the parts of earlier versions while tabs of theirs are open, which may have no network to load them again.
const prune = async () => {
  const open = await openTabs()
  for (const name of await caches.keys()) {
    if (name === CACHE) continue
    const tabs = await tabsOf(await caches.open(name))
    if (tabs === undefined || !tabs.some((id) => open.includes(id))) await caches.delete(name)
  }
}

// All tabs that are open now began with an earlier version, each with the last one that came before it.
const rememberTabs = async () => {
  const earlier = await Promise.all(
    (await caches.keys()).filter((name) => name !== CACHE).map((name) => caches.open(name))
  )
  const known = await Promise.all(earlier.map(tabsOf))
  const rest = (await openTabs()).filter((id) => !known.flat().includes(id))
  await Promise.all(
    earlier.map((cache, index) => (known[index] === undefined ? cache.put(TABS, Response.json(rest)) : undefined))
  )
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    rememberTabs()
      .then(prune)
      .then(() => self.clients.claim())
  )
})

// Names with a hash never change their content: what is here is right for good.
const asset = async (request) => {
  const kept = await caches.match(request)
  if (kept !== undefined) return kept
  const cache = await caches.open(CACHE)
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

// One after the other, so that what a person opens meanwhile comes first. What is missing afterwards, because the
// connection broke or the browser ended the worker, is fetched on the next request.
const keepLater = async () => {
  if (self.navigator.connection?.saveData === true) return
  const cache = await caches.open(CACHE)
  for (const path of LATER) {
    if ((await cache.match(path)) !== undefined) continue
    const answer = await fetch(path, { priority: "low" })
    if (answer.ok) await cache.put(path, answer)
  }
}
let keeping = null

// A page asks for the rest when it has nothing better to do.
self.addEventListener("message", (event) => {
  if (event.data?.type !== "keepAll") return
  keeping ??= prune()
    .then(keepLater)
    .catch(() => {})
    .finally(() => {
      keeping = null
    })
  event.waitUntil(keeping)
})

const page = async (request) => {
  try {
    return await fetch(request)
  } catch {
    const cache = await caches.open(CACHE)
    return (await cache.match(OFFLINE)) ?? Response.error()
  }
}

// The catalogue of the page's language, for the offline page.
const LANGUAGE = /^\/languages\//

// Without a network the offline page still needs its few files.
const smallFile = async (request) => {
  try {
    const answer = await fetch(request)
    if (answer.ok && LANGUAGE.test(new URL(request.url).pathname))
      await (await caches.open(CACHE)).put(request, answer.clone())
    return answer
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
  else if (SHELL.includes(url.pathname) || LANGUAGE.test(url.pathname)) event.respondWith(smallFile(request))
})
