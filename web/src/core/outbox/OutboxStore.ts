import type { OutgoingImage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { below } from "../common/basePath.ts"
import type { ActionResult } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import { isForeign } from "../link/ApiClient.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import { accepted, createHandOver, pathOf } from "./HandOver.ts"
import { createOutboxLists } from "./OutboxLists.ts"
import { messageOf, type OutboxMessage, outboxMessageOf } from "./outboxMessage.ts"
import type { OutboxListener, OutboxParts, OutboxStore, Pending } from "./outboxTypes.ts"

type List = ReadonlyArray<OutboxMessage>

const DONE = { ok: true, value: true } as const

/** The messages on their way, for as long as the page is open; `pending` are those that the console may not have. */
export function createOutboxStore(parts: OutboxParts, pending: Map<string, Pending>): OutboxStore {
  const { api, events } = parts
  const listeners = new Map<string, Set<OutboxListener>>()
  /** What the console's lists had: one that is no longer there is done with. */
  const seen = new Set<string>()

  const asMessage = ({ message, state, error }: Pending): OutboxMessage =>
    messageOf(message, state === "taken" || state === "dropped" ? "waiting" : state, error)

  function notify(sessionKey: string): void {
    const all = listeners.get(sessionKey)
    const list = lists.of(sessionKey)
    for (const { id } of list ?? []) {
      seen.add(id)
      if (pending.get(id)?.state === "taken") pending.delete(id)
    }
    const own = [...pending.values()].filter(({ message }) => message.sessionKey === sessionKey)
    if (all === undefined || (list === null && own.length === 0)) return
    const rest = own.filter(({ message, state }) => !seen.has(message.id) && state !== "dropped").map(asMessage)
    const stored = (list ?? []).filter(({ id }) => pending.get(id)?.state !== "dropped")
    for (const listener of [...all]) listener([...stored, ...rest])
  }

  const lists = createOutboxLists({
    api,
    own: (id) => {
      const found = pending.get(id)
      return found === undefined ? undefined : asMessage(found)
    },
    changed: (sessionKey) => {
      for (const key of sessionKey === "" ? listeners.keys() : [sessionKey]) notify(key)
    }
  })

  const handOver = createHandOver({
    ...parts,
    pending,
    changed: notify,
    taken: ({ id, sessionKey }) => {
      // Without events nobody would tell what becomes of it.
      if (seen.has(id) || !listeners.has(sessionKey)) pending.delete(id)
      else if (!events.connected.get()) void lists.read(sessionKey)
    }
  })

  /** Shows a change at once. */
  function settle(id: string, done: ApiResult<unknown>, change: (list: List) => List): ActionResult {
    const sessionKey = lists.sessionOf(id)
    const list = sessionKey === undefined ? null : lists.of(sessionKey)
    if (done.ok && sessionKey !== undefined && list !== null) lists.set(sessionKey, change(list))
    if (done.ok) return DONE
    if (sessionKey !== undefined) void lists.read(sessionKey)
    const { kind, message } = done.error
    return {
      ok: false,
      message: kind === "conflict" ? say("This message is on its way to the agent already.") : message
    }
  }

  const stops = [
    events.on("outbox.changed", ({ data }) => lists.changed(data)),
    events.connected.subscribe((up) => {
      if (!up) return
      handOver.all()
      lists.reached()
    })
  ]
  if (events.connected.get()) void lists.read()

  return {
    hand: (id) => {
      notify(pending.get(id)?.message.sessionKey ?? "")
      handOver.start(id)
    },
    follow: (sessionKey, listener) => {
      const all = listeners.get(sessionKey) ?? new Set()
      listeners.set(sessionKey, all.add(listener))
      notify(sessionKey)
      lists.want(sessionKey)
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(sessionKey)
      }
    },
    change: async (id, change) => {
      const isOld = lists.follow(id)
      const done = await api.request("PATCH", pathOf(id), outboxMessageOf, { body: change })
      return settle(id, done, (list) => {
        const at = list.findIndex((message) => message.id === id)
        return done.ok && !isOld() ? list.toSpliced(at, 1).toSpliced(change.position ?? at, 0, done.value) : list
      })
    },
    remove: async (id) => {
      if (handOver.takeBack(id)) return DONE
      const done = await api.request("DELETE", pathOf(id), accepted)
      return settle(id, done, (list) => list.filter((message) => message.id !== id))
    },
    pictures: async (id) => {
      const sessionKey = lists.sessionOf(id)
      const message = lists.of(sessionKey ?? "")?.find((one) => one.id === id)
      return readPictures(parts.env, id, message?.files ?? [])
    },
    decide: async (id, action) => {
      const done = await api.request("POST", `${pathOf(id)}/resolve`, accepted, { body: { action } })
      return settle(id, done, (list) => (action === "again" ? list : list.filter((message) => message.id !== id)))
    },
    dispose: () => {
      lists.dispose()
      handOver.dispose()
      for (const stop of stops) stop()
      listeners.clear()
    }
  }
}

const base64 = (bytes: Uint8Array): string => {
  let text = ""
  // As many characters as a call takes arguments at once.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

/** Reads what comes with a message from the console: it was attached on another page. */
export async function readPictures(
  { fetch, origin }: Pick<Environment, "fetch" | "origin">,
  id: string,
  files: OutboxMessage["files"]
): Promise<ActionResult<ReadonlyArray<OutgoingImage>>> {
  const images: Array<OutgoingImage> = []
  try {
    for (const [index, { name, type }] of files.entries()) {
      const response = await fetch(`${origin}${below(pathOf(id))}/attachments/${index}`, { credentials: "same-origin" })
      // A sign-in page in between must not go to the agent as the picture.
      if (!response.ok || isForeign(response)) throw new Error("not there")
      images.push({ fileName: name, mimeType: type, content: base64(new Uint8Array(await response.arrayBuffer())) })
    }
    return { ok: true, value: images }
  } catch {
    return {
      ok: false,
      message: say("Couldn't read the pictures of this message, so it stays where it is. Try again.")
    }
  }
}
