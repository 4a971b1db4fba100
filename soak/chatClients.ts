import { setTimeout as sleep } from "node:timers/promises"
import { PAGE_BRAIN } from "../scripts/version.ts"
import { createClient } from "../web/src/core/client/createClient.ts"
import { createChatStore } from "../web/src/core/conversation/ChatStore.ts"
import type { ChatItem } from "../web/src/core/conversation/chatTypes.ts"
import { memoryStorage } from "../web/src/core/link/browserEnvironment.ts"
import type { Environment } from "../web/src/core/link/Environment.ts"
import { wasCutOff } from "../web/src/core/sessions/sessionRows.ts"
import { memoryKept } from "../web/test/core/support/memoryKept.ts"
import type { Tally } from "./Tally.ts"

// Builds have it as a constant.
Object.assign(globalThis, { __PAGE_BRAIN__: PAGE_BRAIN })

const WORDS = ["show me some markdown", "use a tool", "think about it", "good evening", "show me some code"]
/** How long a client has to get back in sync once everything works again: a silent turn is checked after 60 s. */
const PATIENCE_MS = 90_000

/** A message's final state. */
const SETTLED = new Set<string>(["sent", "failed"])

/** The web app's core in this process, with a real socket to the console. */
const environment = (url: string): Environment => ({
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  build: "",
  origin: url,
  storage: memoryStorage(),
  fetch: (path, init) => fetch(new URL(path, url), init),
  openSocket: (address, { onOpen, onMessage, onClose }) => {
    const socket = new WebSocket(address)
    socket.onopen = () => onOpen?.()
    socket.onmessage = ({ data }) => onMessage(String(data))
    socket.onclose = ({ code, reason }) => onClose(code, reason)
    return {
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code, reason)
    }
  },
  openKept: async () => memoryKept(),
  openChannel: () => null,
  isOnline: () => true,
  onShown: () => () => {},
  onOffline: () => () => {},
  onLeave: () => () => {},
  onWake: () => () => {}
})

/** What a person would read; an undelivered message says so itself and isn't part of the history. */
const shown = (items: ReadonlyArray<ChatItem>): ReadonlyArray<string> =>
  items.flatMap((item) => {
    if (item.kind === "user") return item.delivery === "failed" ? [] : [`user: ${item.text}`]
    if (item.kind === "assistant") return [`assistant: ${item.text}`]
    return []
  })

/** The first few items that are missing from the second list, or occur less often there. */
const without = (texts: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...others]
  const extra = texts.filter((text) => {
    const index = left.indexOf(text)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return extra.slice(0, 4).map((text) => text.slice(0, 100))
}

/** One page of the web app with an open session, sending a message now and then. */
export const chatClient = (tally: Tally, url: string, sessionKey: string, number: number) => {
  const env = environment(url)
  const page = createClient(env)
  const { link, sessions } = page
  const isWorking = async () => {
    await sessions.refresh()
    return sessions.find(sessionKey)?.state === "working"
  }
  const isCut = () => wasCutOff(sessions.find(sessionKey), link.hello.get()?.startedAt ?? null)
  const chat = page.chat(sessionKey)
  let wasReady = false
  link.state.subscribe(({ phase }) => {
    if (phase === "ready" && !wasReady) tally.count("chat connections")
    wasReady = phase === "ready"
  })
  page.events.start()
  link.connect()

  const run = async (until: () => boolean) => {
    for (let turn = number; !until(); turn += 1) {
      await sleep(2500 + 400 * number)
      if (until() || chat.state.get().queued > 3) continue
      chat.send(`${WORDS[turn % WORDS.length]} (${number}-${turn})`)
      tally.count("messages sent")
    }
  }

  /** What a newly opened page shows: the gateway's own history. */
  const history = async () => {
    const fresh = createChatStore({ link, env, outbox: page.outbox, sessionKey, isWorking, isCut })
    try {
      for (let tries = 0; tries < 40 && fresh.state.get().status !== "ready"; tries += 1) await sleep(50)
      const { status, items, hasOlder } = fresh.state.get()
      return status === "ready" ? { texts: shown(items), hasOlder } : undefined
    } finally {
      fresh.dispose()
    }
  }

  const verify = async () => {
    const deadline = performance.now() + PATIENCE_MS
    let difference = ""
    while (performance.now() < deadline) {
      await sleep(500)
      if (link.state.get().phase === "waiting") link.retryNow()
      const state = chat.state.get()
      const isOnItsWay = state.items.some((item) => item.kind === "user" && !SETTLED.has(item.delivery))
      if (link.state.get().phase !== "ready" || state.running || isOnItsWay) {
        const waiting = state.items.flatMap((item) =>
          item.kind === "user" && !SETTLED.has(item.delivery) ? [`${item.delivery}: ${item.text}`] : []
        )
        difference = `it's still waiting, ${JSON.stringify({ ...state, items: state.items.length, waiting })}`
        continue
      }
      const page = await history()
      if (page === undefined) {
        difference = "the history didn't arrive within 2 s"
        continue
      }
      const stored = page.texts
      const all = shown(chat.state.get().items)
      // A page that was open all along shows more of a long conversation than a newly opened one.
      const mine = page.hasOlder ? all.slice(-stored.length) : all
      if (stored.join("\n") === mine.join("\n")) {
        tally.count("chats in sync")
        tally.count("messages compared", mine.length)
        return
      }
      const [extra, missing] = [without(mine, stored), without(stored, mine)]
      difference = `shows ${mine.length} messages, the history has ${stored.length}: only on the page ${JSON.stringify(extra)}, only in the history ${JSON.stringify(missing)}; the page ends with ${JSON.stringify(mine.at(-1)?.slice(0, 60))}`
    }
    tally.problem(
      `chat ${number} of ${sessionKey} is out of sync: ${difference.slice(0, 600)}; its connection is ${JSON.stringify(link.state.get())}`
    )
  }

  return { run, verify, dispose: () => page.dispose() }
}
