// The service worker: keeps the parts of the app, so that each screen opens at once and also without a network, and a
// page for when the console cannot be reached. It never touches the API, the live connection or anything that is not a file of the build.
const SHELL = __SHELL__
const LATER = __LATER__
// The beginning of each one's SHA-256 in base64, one after the other.
const DIGESTS = "__DIGESTS__"
const DIGEST_BYTES = 12
const DIGEST_LENGTH = (DIGEST_BYTES / 3) * 4
// The path that the console is served below, without a last slash: this file is in its root. What is kept is shared by
// all of an origin, where other consoles may be below other paths.
const BASE = new URL(".", self.location.href).pathname.slice(0, -1)
const KEPT = `shell${BASE}-`
const CACHE = `${KEPT}__VERSION__`
const OFFLINE = "/offline.html"

const below = (path) => `${BASE}${path}`
// The path of a file as the build names it; undefined for one of somebody else's.
const pathOf = (request) => {
  const { pathname } = new URL(request.url ?? request, self.location.origin)
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : undefined
}

// What stands in front of the console, such as the sign-in of a hotel or of a proxy, may answer in its place with a page
// of its own, as if that were the file.
const TYPES = { js: /javascript/i, mjs: /javascript/i, css: /^text\/css/i, html: /^text\/html/i, txt: /^text\/plain/i }
const NO_FILE = /^$|^text\/|html/i
const isOfItsType = (path, answer) => {
  const type = answer.headers.get("content-type") ?? ""
  const expected = TYPES[path.split(".").at(-1)]
  return expected === undefined ? !NO_FILE.test(type) : expected.test(type)
}
const looksRight = (path, answer) => answer.status === 200 && !answer.redirected && isOfItsType(path, answer)

const digestOf = async (answer) => {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()))
  return btoa(String.fromCharCode(...bytes.subarray(0, DIGEST_BYTES)))
}
const expectedDigest = (path) => {
  const at = [...SHELL, ...LATER].indexOf(path) * DIGEST_LENGTH
  return at < 0 ? undefined : DIGESTS.slice(at, at + DIGEST_LENGTH)
}
const isThisFile = async (path, answer) => {
  if (!looksRight(path, answer)) return false
  const expected = expectedDigest(path)
  return expected === undefined || expected === (await digestOf(answer.clone()))
}

// Asks once more past the browser's own cache, which may hold a wrong answer as well.
const load = async (request, options = {}) => {
  const path = pathOf(request)
  const answer = await fetch(request, options)
  if (!answer.ok || (await isThisFile(path, answer))) return answer
  return fetch(request, { ...options, cache: "reload" })
}

// A file that a proxy has changed is used like any other, and never kept.
const keep = async (cache, request, answer) => {
  if (await isThisFile(pathOf(request), answer)) await cache.put(request, answer)
}

const install = async () => {
  const cache = await caches.open(CACHE)
  await Promise.all(
    SHELL.map(async (path) => {
      const answer = await load(below(path))
      if (!looksRight(path, answer)) throw new Error(`${path} isn't there`)
      await keep(cache, below(path), answer)
    })
  )
  await self.skipWaiting()
}

self.addEventListener("install", (event) => event.waitUntil(install()))

// Which tabs of an earlier version still need what it kept: their ids, in its own cache. A reload gives a tab another id.
const TABS = "/tabs-of-this-version"
const openTabs = async () => (await self.clients.matchAll({ includeUncontrolled: true })).map(({ id }) => id)
const tabsOf = async (cache) => (await cache.match(TABS))?.json()

const earlierCaches = async () => (await caches.keys()).filter((name) => name.startsWith(KEPT) && name !== CACHE)

// Keeps the parts of earlier versions while tabs of theirs are open, which may have no network to load them again.
const prune = async () => {
  const open = await openTabs()
  for (const name of await earlierCaches()) {
    const tabs = await tabsOf(await caches.open(name))
    if (tabs === undefined || !tabs.some((id) => open.includes(id))) await caches.delete(name)
  }
}

// All tabs that are open now began with an earlier version, each with the last one that came before it.
const rememberTabs = async () => {
  const earlier = await Promise.all((await earlierCaches()).map((name) => caches.open(name)))
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

// Earlier workers kept whatever came: what isn't a part is dropped, so that it's fetched anew.
const keptPart = async (request) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    const kept = await cache.match(request)
    if (kept === undefined) continue
    if (looksRight(pathOf(request), kept)) return kept
    await cache.delete(request)
  }
  return undefined
}

// Names with a hash never change their content: what is here is right for good.
const asset = async (request) => {
  const kept = await keptPart(request)
  if (kept !== undefined) return kept
  const answer = await load(request)
  if (!answer.ok) return answer
  // To the page it's the same as a console that can't be reached.
  if (!looksRight(pathOf(request), answer)) return Response.error()
  await keep(await caches.open(CACHE), request, answer.clone())
  return answer
}

// One after the other, so that what a person opens meanwhile comes first. What is missing afterwards, because the
// connection broke or the browser ended the worker, is fetched on the next request.
const keepLater = async () => {
  if (self.navigator.connection?.saveData === true) return
  const cache = await caches.open(CACHE)
  for (const path of LATER) {
    const kept = await cache.match(below(path))
    if (kept !== undefined && looksRight(path, kept)) continue
    const answer = await load(below(path), { priority: "low" })
    // Whatever answers in the console's place would answer for all the others, too.
    if (answer.ok && !looksRight(path, answer)) return
    await keep(cache, below(path), answer)
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

// Its own addresses begin at the root, like the build's.
const offlinePage = async () => {
  const kept = await (await caches.open(CACHE)).match(below(OFFLINE))
  if (kept === undefined) return Response.error()
  if (BASE === "") return kept
  const html = (await kept.text()).replaceAll(/\b(href|src)="\//g, `$1="${BASE}/`)
  return new Response(html, { headers: kept.headers })
}

const page = async (request) => {
  try {
    return await fetch(request)
  } catch {
    return offlinePage()
  }
}

// The catalogue of the page's language, for the offline page.
const LANGUAGE = /^\/languages\//

// Without a network the offline page still needs its few files; behind somebody else's page, the app does.
const smallFile = async (request) => {
  const path = pathOf(request)
  const cache = await caches.open(CACHE)
  const answer = await fetch(request).catch(() => undefined)
  if (answer === undefined || (answer.ok && !looksRight(path, answer))) {
    const kept = await cache.match(request)
    return kept !== undefined && looksRight(path, kept) ? kept : Response.error()
  }
  if (answer.ok && LANGUAGE.test(path)) await cache.put(request, answer.clone())
  return answer
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const path = pathOf(request)
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin || path === undefined) return
  if (/^\/(api|ws|health|metrics)(\/|$)/.test(path)) return
  if (path.startsWith("/assets/")) event.respondWith(asset(request))
  else if (request.mode === "navigate") event.respondWith(page(request))
  else if (SHELL.includes(path) || LANGUAGE.test(path)) event.respondWith(smallFile(request))
})
