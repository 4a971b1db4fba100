// Notifications: what the console sends while no page is open, and what people do with it.
const ICON = below("/icon-192.png")
// Safari ends a subscription after a few messages that show nothing.
const MUST_SHOW = /AppleWebKit/.test(self.navigator.userAgent) && !/Chrom(e|ium)\//.test(self.navigator.userAgent)

// Chromium forgets a notification that is just being shown while something else reads what is shown: one after the other.
let busy = Promise.resolve()
const inTurn = (work) => {
  const mine = busy.then(work)
  busy = mine.catch(() => {})
  return mine
}

const show = (title, id, options) =>
  inTurn(() => self.registration.showNotification(title, { icon: ICON, badge: ICON, tag: id, ...options }))

const closeShown = async (id) => {
  for (const shown of await self.registration.getNotifications({ tag: id })) shown.close()
}

const takeAway = async (id) => {
  await inTurn(() => closeShown(id))
  if (MUST_SHOW)
    await show("Done", id, { body: "This no longer waits for you.", silent: true, data: { path: below("/") } })
}

const receive = async (message) => {
  const { id, kind, title, body, url, actions = [] } = message ?? {}
  if (typeof id !== "string") return
  if (typeof title !== "string") return takeAway(id)
  await show(title, id, {
    body,
    // What an agent waits for stays until somebody has seen it.
    requireInteraction: kind === "approval" || kind === "question",
    actions: actions.map((action) => ({ action: action.id, title: action.label })),
    data: { id, path: url, actions }
  })
}

self.addEventListener("push", (event) => {
  let message = null
  try {
    message = event.data?.json()
  } catch {
    // Whatever it is, it isn't the console's.
  }
  event.waitUntil(receive(message))
})

const openPath = async (path) => {
  if (typeof path !== "string" || !/^\/(?!\/)/.test(path)) return
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const client = windows.find(({ url }) => pathOf(url) !== undefined)
  if (client === undefined) return self.clients.openWindow(path)
  client.postMessage({ type: "navigate", path })
  return client.focus()
}

// Browsers allow this only just after a click, and some count that moment in their own way.
const open = (path) => openPath(path).catch(() => {})

// What stands in front of the console may answer in its place, even as if all went well: only its own JSON counts.
const bodyOf = async (answer) => {
  if (answer.redirected || !/json/.test(answer.headers.get("content-type") ?? "")) return undefined
  return (await answer.json().catch(() => undefined)) ?? undefined
}

const decide = async ({ id, path, actions }, { id: action, label }) => {
  const answer = await fetch(below(`/api/inbox/${encodeURIComponent(id)}/resolve`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ action })
  }).catch(() => Response.error())
  const body = await bodyOf(answer)
  if (answer.ok && body?.id === id) return
  if (answer.status === 401 && body?.error === "Authentication required") return open(path)
  if ((answer.status === 404 && body?.error === "not_found") || (answer.status === 409 && body?.item !== undefined)) {
    if (body.item?.resolution?.action === action) return
    return show("Already decided", id, { body: `“${label}” came too late.`, data: { path } })
  }
  await show(`“${label}” didn't work`, id, {
    body: "Open the console to decide there.",
    requireInteraction: true,
    actions: actions.map((again) => ({ action: again.id, title: again.label })),
    data: { id, path, actions }
  })
}

// A click opens what it's about, in an open window if there is one; a button acts at once unless it says otherwise.
self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  const data = event.notification.data ?? {}
  const action = data.actions?.find(({ id }) => id === event.action)
  event.waitUntil(action === undefined || action.opens === true ? open(data.path) : decide(data, action))
})

// The browser has given this device another address: the console needs it, and the device stays the same to people. What
// it couldn't be told yet, because the sign-in had ended or nothing answered, is kept until the next sign-in.
const RENEWAL = `renewal${BASE}`
const PENDING = "/renewal"

const keepRenewal = async ({ oldSubscription, newSubscription }) => {
  const cache = await caches.open(RENEWAL)
  const earlier = await (await cache.match(PENDING))?.json()
  // The address that the console has is the first one it wasn't told the end of.
  const replaces = earlier?.replaces ?? oldSubscription?.endpoint
  await cache.put(PENDING, Response.json({ replaces, next: newSubscription?.toJSON() }))
}

const subscribed = async (applicationServerKey) => {
  const { pushManager } = self.registration
  const next =
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  return next.toJSON()
}

const tellRenewal = async () => {
  if (!(await caches.keys()).includes(RENEWAL)) return
  const cache = await caches.open(RENEWAL)
  const pending = await (await cache.match(PENDING))?.json()
  if (pending === undefined) return
  const publicKey = (await bodyOf(await fetch(below("/api/push"))))?.publicKey
  if (typeof publicKey !== "string") return
  const { endpoint, keys } = pending.next ?? (await subscribed(publicKey))
  const answer = await fetch(below("/api/push/subscriptions"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys, replaces: pending.replaces })
  })
  const body = await bodyOf(answer)
  // An address that the console takes from nobody won't be taken later either.
  if (typeof body?.id === "string" || (answer.status === 400 && body !== undefined)) await cache.delete(PENDING)
}

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(
    keepRenewal(event)
      .then(tellRenewal)
      .catch(() => {})
  )
})

self.addEventListener("message", (event) => {
  if (event.data?.type === "signedIn") event.waitUntil(tellRenewal().catch(() => {}))
})
