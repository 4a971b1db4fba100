import { fieldsOf, recordsOf, textOf } from "../common/decode.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { outboxListOf, standingOf } from "./decodeOutbox.ts"
import { PATH } from "./HandOver.ts"
import type { OutboxMessage } from "./outboxMessage.ts"

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

/**
 * The console's lists, of all sessions. They are read once; from then on its events say how the messages stand, and
 * only words that this page doesn't know are asked for.
 */
export class OutboxLists {
  private readonly options: OutboxListsOptions
  private readonly lists = new Map<string, List>()
  /** How often each list was changed: an answer to an earlier question doesn't count. */
  private readonly marks = new Map<string, number>()
  private readonly stale = new Set<string>()
  /** What is being asked for: one session's list, or with an empty key all of them. */
  private readonly reading = new Set<string>()
  /** What was asked for once more while an answer was on its way, which may be older than the question. */
  private readonly again = new Set<string>()
  private isKnown = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: OutboxListsOptions) {
    this.options = options
  }

  dispose(): void {
    clearTimeout(this.timer)
  }

  /** A session's list; null before it's known. */
  of(sessionKey: string): List | null {
    return this.lists.get(sessionKey) ?? (this.isKnown && !this.stale.has(sessionKey) ? [] : null)
  }

  /** Asks for a session's list, unless it's known or all of them are on their way. */
  want(sessionKey: string): void {
    if (this.of(sessionKey) === null && !this.reading.has("") && !this.reading.has(sessionKey))
      void this.read(sessionKey)
  }

  sessionOf(id: string): string | undefined {
    return [...this.lists].find(([, list]) => list.some((message) => message.id === id))?.[0]
  }

  /** Tells whether anything was told of the list of a message in the meantime, which is newer than an answer then. */
  follow(id: string): () => boolean {
    const sessionKey = this.sessionOf(id) ?? ""
    const before = this.marks.get(sessionKey)
    return () => this.marks.get(sessionKey) !== before
  }

  /** Shows a change of this page; the event that follows says the same. */
  set(sessionKey: string, list: List): void {
    this.mark(sessionKey)
    this.lists.set(sessionKey, list)
    this.options.changed(sessionKey)
  }

  /** The console has told that a list changed. */
  told(data: unknown): void {
    const { sessionKey, items } = fieldsOf<{ readonly sessionKey: unknown; readonly items: unknown }>(data)
    const key = textOf(sessionKey)
    if (key === null) return
    this.mark(key)
    const known = new Map(this.lists.get(key)?.map((message) => [message.id, message]))
    const list = recordsOf(items).map((item, position) => {
      const standing = standingOf(item)
      const message = standing === null ? undefined : (known.get(standing.id) ?? this.options.own(standing.id))
      return message === undefined ? null : { ...message, ...standing, position }
    })
    if (Array.isArray(items) && !list.includes(null)) {
      this.stale.delete(key)
      this.lists.set(
        key,
        list.filter((message) => message !== null)
      )
      this.options.changed(key)
      return
    }
    this.stale.add(key)
    void this.read(key)
  }

  /** The console can be reached again: whatever it told meanwhile was missed. */
  reached(): void {
    this.stopWaiting()
    void this.read()
  }

  /** Asks for a session's list, or for all of them. After a failure everything is asked for at once, a while later. */
  async read(sessionKey = ""): Promise<void> {
    if (this.timer !== undefined) return
    if (this.reading.has(sessionKey)) {
      this.again.add(sessionKey)
      return
    }
    this.reading.add(sessionKey)
    const marks = new Map(this.marks)
    const query = sessionKey === "" ? "" : `?sessionKey=${encodeURIComponent(sessionKey)}`
    const answer = await this.options.api.request("GET", `${PATH}${query}`, outboxListOf)
    this.reading.delete(sessionKey)
    if (this.again.delete(sessionKey)) return this.read(sessionKey)
    if (!answer.ok) {
      this.stopWaiting()
      this.timer = setTimeout(() => this.reached(), Math.max(AGAIN_MS, answer.error.retryAfterMs ?? 0))
      return
    }
    const found = Map.groupBy(answer.value, (message) => message.sessionKey)
    if (sessionKey === "") this.isKnown = true
    const keys = sessionKey === "" ? new Set([...this.lists.keys(), ...this.stale, ...found.keys()]) : [sessionKey]
    for (const key of keys) {
      if (this.marks.get(key) === marks.get(key)) {
        this.stale.delete(key)
        this.lists.set(key, found.get(key) ?? [])
        this.options.changed(key)
      } else if (this.stale.has(key)) void this.read(key)
    }
    if (sessionKey === "") this.options.changed("")
  }

  private stopWaiting(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private mark(sessionKey: string): void {
    this.marks.set(sessionKey, (this.marks.get(sessionKey) ?? 0) + 1)
  }
}
