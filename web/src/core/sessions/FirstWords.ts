import { type Fields, listOf, parseJson } from "../common/decode.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import { titleOf } from "./sessionTitle.ts"

const STORAGE_KEY = "agent-console:session-titles"
const MAX_KEPT = 500
const AT_ONCE = 2

/** A session whose gateway gives it no title. */
export interface Untitled {
  readonly key: string
  readonly sessionId: string
  /** What was said last may not be in its history yet. */
  readonly isRunning: boolean
  /** When it last changed; it is looked up again after further changes. */
  readonly at: number
}

/**
 * Names for sessions that have none from the gateway: the first words a person wrote. Each session is looked up once,
 * a few at a time, and the result is remembered in this browser.
 */
export class FirstWords {
  private readonly link: GatewayLink
  private readonly storage: KeyValueStorage
  private readonly onFound: () => void
  private readonly found = new Map<string, string>()
  /** Words heard as they were sent; those in the history replace them. */
  private readonly heard = new Map<string, string>()
  /** Sessions that were looked up, and their state at that time. */
  private readonly asked = new Map<string, number>()
  private queue: ReadonlyArray<Untitled> = []
  private isWorking = false

  constructor(link: GatewayLink, storage: KeyValueStorage, onFound: () => void) {
    this.link = link
    this.storage = storage
    this.onFound = onFound
    this.read()
  }

  get(sessionId: string | null): string | null {
    if (sessionId === null) return null
    return this.found.get(sessionId) ?? this.heard.get(sessionId) ?? null
  }

  /** A message was stored in a session. */
  hear(sessionId: string, message: Fields): void {
    if (this.get(sessionId) !== null) return
    const title = titleOf(message)
    if (title === null) return
    this.heard.set(sessionId, title)
    this.onFound()
  }

  /** The session starts over under the same id. */
  forget(sessionId: string): void {
    this.heard.delete(sessionId)
    this.asked.delete(sessionId)
    if (this.found.delete(sessionId)) this.write()
  }

  /** Looks up these sessions' titles, in this order; replaces any remaining lookups. */
  ask(sessions: ReadonlyArray<Untitled>): void {
    this.queue = sessions.filter(
      ({ sessionId, isRunning, at }) =>
        !this.found.has(sessionId) && this.asked.get(sessionId) !== at && !(isRunning && this.heard.has(sessionId))
    )
    if (!this.isWorking && this.queue.length > 0) void this.work()
  }

  /** The connection is new: failed lookups can be repeated. */
  startAnew(): void {
    this.asked.clear()
  }

  dispose(): void {
    this.queue = []
  }

  private async work(): Promise<void> {
    this.isWorking = true
    while (this.queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, () => this.takeTurns()))
    this.isWorking = false
    this.read()
    this.write()
  }

  private async takeTurns(): Promise<void> {
    for (let next = this.queue[0]; next !== undefined; next = this.queue[0]) {
      this.queue = this.queue.slice(1)
      await this.lookUp(next)
    }
  }

  private async lookUp({ key, sessionId, at }: Untitled): Promise<void> {
    const greeting = this.link.hello.get()
    this.asked.set(sessionId, at)
    const title = await import("./readFirstWords.ts")
      .then(({ readFirstWords }) => readFirstWords(this.link, key, (greeting?.protocol ?? 0) >= 4))
      .catch(() => null)
    if (title === null || greeting !== this.link.hello.get()) return
    this.heard.delete(sessionId)
    this.found.set(sessionId, title)
    this.onFound()
  }

  /** Adds the stored titles, some of which another tab may have found. */
  private read(): void {
    for (const entry of listOf(parseJson(this.storage.getItem(STORAGE_KEY) ?? ""))) {
      const [id, title] = listOf(entry)
      if (typeof id === "string" && typeof title === "string" && !this.found.has(id)) this.found.set(id, title)
    }
  }

  private write(): void {
    try {
      this.storage.setItem(STORAGE_KEY, JSON.stringify([...this.found].slice(-MAX_KEPT)))
    } catch {
      // A full storage only means that titles are looked up again after a reload.
    }
  }
}
