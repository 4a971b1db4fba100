import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { OutboxChange } from "../../../../src/contract/schema/outbox.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { PATH, sessionOf } from "./HandOver.ts"
import { type OutboxMessage, outboxListOf, standingOf } from "./outboxMessage.ts"

/** Lists that couldn't be read are asked for again after this time, or when the console says so. */
const AGAIN_MS = 5_000

type List = ReadonlyArray<OutboxMessage>

interface OutboxListsOptions {
  readonly api: Pick<ApiClient, "request">
  /** What this page wrote: the console tells of it without its words. */
  readonly own: (id: string) => OutboxMessage | undefined
  /** A session's list has changed. */
  readonly changed: (sessionKey: string) => void
}

export interface OutboxLists {
  dispose(): void
  /** A session's list; null before it's known. */
  of(sessionKey: string): List | null
  /** Asks for a session's list, unless it's known or all of them are on their way. */
  want(sessionKey: string): void
  sessionOf(id: string): string | undefined
  /** Tells whether anything was told of the list of a message in the meantime, which is newer than an answer then. */
  follow(id: string): () => boolean
  /** Shows a change of this page; the event that follows says the same. */
  set(sessionKey: string, list: List): void
  /** The console has told that a list changed. */
  changed(change: OutboxChange): void
  /** The console can be reached again: whatever it told meanwhile was missed. */
  reached(): void
  /** Asks for a session's list, or for all of them. After a failure everything is asked for at once, a while later. */
  read(sessionKey?: string): Promise<void>
}

/**
 * The console's lists, of all sessions. They are read once; from then on its events say how the messages stand, and
 * only words that this page doesn't know are asked for.
 */
export function createOutboxLists({ api, changed, own: written }: OutboxListsOptions): OutboxLists {
  const lists = new Map<string, List>()
  /** How often each list was changed: an answer to an earlier question doesn't count. */
  const marks = new Map<string, number>()
  const stale = new Set<string>()
  /** What is being asked for: one session's list, or with an empty key all of them. */
  const reading = new Set<string>()
  /** What was asked for once more while an answer was on its way, which may be older than the question. */
  const again = new Set<string>()
  let isKnown = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const of = (sessionKey: string): List | null =>
    lists.get(sessionKey) ?? (isKnown && !stale.has(sessionKey) ? [] : null)

  const holderOf = (id: string): string | undefined =>
    [...lists].find(([, list]) => list.some((message) => message.id === id))?.[0]

  function reached(): void {
    stopWaiting()
    void read()
  }

  async function read(sessionKey = ""): Promise<void> {
    if (timer !== undefined) return
    if (reading.has(sessionKey)) {
      again.add(sessionKey)
      return
    }
    reading.add(sessionKey)
    const before = new Map(marks)
    const { gatewayId: gateway, ...session } = sessionOf(sessionKey)
    const query =
      sessionKey === "" ? "" : `?${new URLSearchParams({ ...session, ...(gateway === undefined ? {} : { gateway }) })}`
    const answer = await api.request("GET", `${PATH}${query}`, outboxListOf)
    reading.delete(sessionKey)
    if (again.delete(sessionKey)) return read(sessionKey)
    if (!answer.ok) {
      stopWaiting()
      timer = setTimeout(() => reached(), Math.max(AGAIN_MS, answer.error.retryAfterMs ?? 0))
      return
    }
    const found = Map.groupBy(answer.value, (message) => message.sessionKey)
    if (sessionKey === "") isKnown = true
    const keys = sessionKey === "" ? new Set([...lists.keys(), ...stale, ...found.keys()]) : [sessionKey]
    for (const key of keys) {
      if (marks.get(key) === before.get(key)) {
        stale.delete(key)
        lists.set(key, found.get(key) ?? [])
        changed(key)
      } else if (stale.has(key)) void read(key)
    }
    if (sessionKey === "") changed("")
  }

  function stopWaiting(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function mark(sessionKey: string): void {
    marks.set(sessionKey, (marks.get(sessionKey) ?? 0) + 1)
  }

  return {
    dispose: () => clearTimeout(timer),
    of,
    want: (sessionKey) => {
      if (of(sessionKey) === null && !reading.has("") && !reading.has(sessionKey)) void read(sessionKey)
    },
    sessionOf: holderOf,
    follow: (id) => {
      const sessionKey = holderOf(id) ?? ""
      const before = marks.get(sessionKey)
      return () => marks.get(sessionKey) !== before
    },
    set: (sessionKey, list) => {
      mark(sessionKey)
      lists.set(sessionKey, list)
      changed(sessionKey)
    },
    changed: ({ gatewayId, items, sessionKey }) => {
      const key = qualifiedKey(gatewayId, sessionKey)
      mark(key)
      const known = new Map(lists.get(key)?.map((message) => [message.id, message]))
      const list = items?.map((item, position) => {
        const message = known.get(item.id) ?? written(item.id)
        return message === undefined ? null : { ...message, ...standingOf(item), position }
      })
      if (list !== undefined && !list.includes(null)) {
        stale.delete(key)
        lists.set(
          key,
          list.filter((message) => message !== null)
        )
        changed(key)
        return
      }
      stale.add(key)
      void read(key)
    },
    reached,
    read
  }
}
