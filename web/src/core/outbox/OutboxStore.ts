import { fieldsOf, textOf } from "../common/decode.ts"
import type { ActionResult } from "../common/readable.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { messageOf, outboxListOf, outboxMessageOf } from "./decodeOutbox.ts"
import { accepted, HandOver, PATH, pathOf } from "./HandOver.ts"
import type { OutboxMessage } from "./outboxMessage.ts"
import type { OutboxListener, OutboxParts, OutboxStore, Pending } from "./outboxTypes.ts"

/** A list that couldn't be read is asked for again after this time, and as soon as the console's events arrive again. */
const AGAIN_MS = 5_000

type List = ReadonlyArray<OutboxMessage>

const DONE = { ok: true, value: true } as const

/** A session's list as far as this page knows it. */
interface Known {
  readonly listeners: Set<OutboxListener>
  list: List | null
  /** Counts what was changed: a list that was requested before doesn't know it. */
  changes: number
  isReading: boolean
}

/** The messages on their way, for as long as the page is open; `pending` are those that the console may not have. */
export function createOutboxStore(parts: OutboxParts, pending: Map<string, Pending>): OutboxStore {
  const { api, events } = parts
  const sessions = new Map<string, Known>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const pendingIn = (sessionKey: string) =>
    [...pending.values()].filter(({ message }) => message.sessionKey === sessionKey)

  function tell(sessionKey: string): void {
    const session = sessions.get(sessionKey)
    const own = pendingIn(sessionKey)
    if (session === undefined || (session.list === null && own.length === 0)) return
    const stored = session.list ?? []
    const there = new Set(stored.map(({ id }) => id))
    const rest = own.flatMap(({ message, state, error }) =>
      there.has(message.id) || state === "dropped"
        ? []
        : [messageOf(message, state === "taken" ? "waiting" : state, error)]
    )
    for (const listener of [...session.listeners]) listener([...stored, ...rest])
  }

  async function read(sessionKey: string): Promise<void> {
    const session = sessions.get(sessionKey)
    if (session === undefined || session.isReading) return
    session.isReading = true
    const { changes } = session
    const taken = pendingIn(sessionKey).filter(({ state }) => state === "taken")
    const answer = await api.request("GET", `${PATH}?sessionKey=${encodeURIComponent(sessionKey)}`, outboxListOf)
    session.isReading = false
    if (changes !== session.changes) return read(sessionKey)
    if (!answer.ok) {
      clearTimeout(timer)
      timer = setTimeout(readAll, AGAIN_MS)
      return
    }
    session.list = answer.value
    for (const { message } of taken) pending.delete(message.id)
    tell(sessionKey)
  }

  const readAll = () => {
    for (const sessionKey of sessions.keys()) void read(sessionKey)
  }

  /** Something was changed at the console. */
  function changed(sessionKey: string): void {
    const session = sessions.get(sessionKey)
    if (session === undefined) return
    session.changes++
    void read(sessionKey)
  }

  const handOver = new HandOver({
    ...parts,
    pending,
    changed: (sessionKey, there) => {
      tell(sessionKey)
      if (there) changed(sessionKey)
    },
    isShown: (sessionKey) => sessions.has(sessionKey)
  })

  /** Shows a change at once; the console's own list follows. */
  function settle(id: string, done: ApiResult<unknown>, change: (list: List) => List): ActionResult {
    for (const [sessionKey, session] of sessions) {
      if (session.list?.some((message) => message.id === id) !== true) continue
      if (done.ok) session.list = change(session.list)
      changed(sessionKey)
      tell(sessionKey)
    }
    if (done.ok) return DONE
    const { kind, message } = done.error
    return { ok: false, message: kind === "conflict" ? "This message is on its way to the agent already." : message }
  }

  const stops = [
    events.on("outbox.changed", ({ data }) => changed(textOf(fieldsOf(data).sessionKey) ?? "")),
    events.connected.subscribe((up) => {
      if (!up) return
      handOver.all()
      readAll()
    })
  ]

  return {
    hand: (id) => handOver.start(id),
    follow: (sessionKey, listener) => {
      const session = sessions.get(sessionKey) ?? { listeners: new Set(), list: null, changes: 0, isReading: false }
      sessions.set(sessionKey, session)
      session.listeners.add(listener)
      tell(sessionKey)
      void read(sessionKey)
      return () => {
        session.listeners.delete(listener)
        if (session.listeners.size === 0) sessions.delete(sessionKey)
      }
    },
    change: async (id, change) => {
      const done = await api.request("PATCH", pathOf(id), outboxMessageOf, { body: change })
      return settle(id, done, (list) => {
        const at = list.findIndex((message) => message.id === id)
        return done.ok ? list.toSpliced(at, 1).toSpliced(change.position ?? at, 0, done.value) : list
      })
    },
    remove: async (id) => {
      if (handOver.takeBack(id)) return DONE
      const done = await api.request("DELETE", pathOf(id), accepted)
      return settle(id, done, (list) => list.filter((message) => message.id !== id))
    },
    decide: async (id, action) => {
      const done = await api.request("POST", `${pathOf(id)}/resolve`, accepted, { body: { action } })
      return settle(id, done, (list) => (action === "again" ? list : list.filter((message) => message.id !== id)))
    },
    dispose: () => {
      clearTimeout(timer)
      handOver.dispose()
      for (const stop of stops) stop()
      sessions.clear()
    }
  }
}
