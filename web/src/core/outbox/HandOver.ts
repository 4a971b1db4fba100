import type { ApiFailureKind } from "../link/apiTypes.ts"
import { outboxMessageOf } from "./decodeOutbox.ts"
import type { OutboxParts, Pending } from "./outboxTypes.ts"
import type { WrittenMessage } from "./writtenMessage.ts"

export const PATH = "/api/outbox"
/** A console that couldn't be reached is tried again after this time, or when it says so, and as soon as its events arrive. */
const AGAIN_MS = 5_000
/** Pictures take their time on a slow connection. */
const HAND_LIMIT_MS = 120_000
/** Browsers let a request of this size outlive the page; larger ones they refuse. */
const MAX_KEEPALIVE = 50_000

/** The console said no, and would say so again. */
const REFUSALS: ReadonlySet<ApiFailureKind> = new Set(["invalid", "forbidden", "not_found", "conflict", "too_large"])

export const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`
export const accepted = (): true => true

const bodyOf = ({ id, sessionKey, text, mode, notBefore, images }: WrittenMessage) => ({
  id,
  sessionKey,
  text,
  mode,
  ...(notBefore === undefined ? {} : { notBefore }),
  ...(images.length === 0
    ? {}
    : {
        attachments: images.map(({ fileName, mimeType, content }) => ({
          name: fileName,
          type: mimeType,
          data: content
        }))
      })
})

interface HandOverOptions extends OutboxParts {
  readonly pending: Map<string, Pending>
  /** A session's pending messages have changed. */
  readonly changed: (sessionKey: string) => void
  /** The console has a message. */
  readonly taken: (message: WrittenMessage) => void
}

/** Gives the console what was written here: once, in the order of each session, and as soon as it can be reached. */
export class HandOver {
  private readonly options: HandOverOptions
  private readonly kept
  /** Sessions with a request under way. */
  private readonly busy = new Set<string>()
  private timer: ReturnType<typeof setTimeout> | undefined
  /** How long the console wants nothing more; null if it didn't say. */
  private wanted: number | null = null

  constructor(options: HandOverOptions) {
    this.options = options
    this.kept = options.env.openKept()
    this.restore().catch(() => {})
  }

  dispose(): void {
    clearTimeout(this.timer)
  }

  /** Hands over a message that is pending, now or as soon as those before it were taken. */
  start(id: string): void {
    const found = this.options.pending.get(id)
    if (found === undefined) return
    if (found.state === "refused") this.note(found.message, "taking")
    this.keep(found.message)
    void this.next(found.message.sessionKey)
  }

  /** Takes a message back that the console may not have; false if it surely has. */
  takeBack(id: string): boolean {
    const found = this.options.pending.get(id)
    if (found === undefined || found.state === "taken") return false
    this.forget(id)
    if (found.state === "refused") this.drop(found.message)
    else this.note(found.message, "dropped")
    void this.next(found.message.sessionKey)
    return true
  }

  /** Tries everything again. */
  all(): void {
    this.wanted = null
    const sessions = new Set([...this.options.pending.values()].map(({ message }) => message.sessionKey))
    for (const sessionKey of sessions) void this.next(sessionKey)
  }

  private async next(sessionKey: string): Promise<void> {
    const found = [...this.options.pending.values()].find(
      ({ message, state }) => message.sessionKey === sessionKey && state !== "taken" && state !== "refused"
    )
    if (found === undefined || this.busy.has(sessionKey) || this.wanted !== null) return
    this.busy.add(sessionKey)
    const isReached = await (found.state === "dropped" ? this.remove(found.message) : this.give(found.message))
    this.busy.delete(sessionKey)
    if (isReached) return this.next(sessionKey)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.all(), Math.max(AGAIN_MS, this.wanted ?? 0))
  }

  /** Whether the console could be reached. */
  private async give(message: WrittenMessage): Promise<boolean> {
    const { api, changed, pending, taken } = this.options
    const { id, images, sessionKey } = message
    const body = bodyOf(message)
    const done = await api.request("POST", PATH, outboxMessageOf, {
      body,
      timeoutMs: HAND_LIMIT_MS,
      keepalive: images.length === 0 && JSON.stringify(body).length < MAX_KEEPALIVE
    })
    // What was taken back in the meantime is next.
    const isDropped = pending.get(id)?.state === "dropped"
    if (done.ok) {
      this.forget(id)
      if (isDropped) return true
      pending.set(id, { message, state: "taken", error: null })
      taken(message)
      changed(sessionKey)
      return true
    }
    if (REFUSALS.has(done.error.kind)) {
      if (isDropped) this.drop(message)
      else this.note(message, "refused", done.error.message)
      return true
    }
    this.wanted = done.error.retryAfterMs
    if (!isDropped) this.note(message, "away", done.error.message)
    return false
  }

  private async remove(message: WrittenMessage): Promise<boolean> {
    const { api } = this.options
    const done = await api.request("DELETE", pathOf(message.id), accepted)
    if (!done.ok && !REFUSALS.has(done.error.kind)) return false
    this.drop(message)
    return true
  }

  private note(message: WrittenMessage, state: Pending["state"], error: string | null = null): void {
    this.options.pending.set(message.id, { message, state, error })
    this.options.changed(message.sessionKey)
  }

  private drop({ id, sessionKey }: WrittenMessage): void {
    this.options.pending.delete(id)
    this.options.changed(sessionKey)
  }

  /** What an earlier page couldn't hand over. */
  private async restore(): Promise<void> {
    const { pending } = this.options
    for (const message of await (await this.kept).all()) {
      if (pending.has(message.id)) continue
      this.note(message, "away")
      void this.next(message.sessionKey)
    }
  }

  // A browser that keeps nothing still hands over what is on screen.
  private keep(message: WrittenMessage): void {
    this.kept.then((messages) => messages.put(message)).catch(() => {})
  }

  private forget(id: string): void {
    this.kept.then((messages) => messages.remove(id)).catch(() => {})
  }
}
