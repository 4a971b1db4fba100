import { fieldsOf, listOf, numberOf, parseJson } from "../common/decode.ts"
import type { Environment } from "../link/Environment.ts"

const STORAGE_KEY = "agent-console:sessions"
const CHANNEL = "agent-console:sessions"
const MAX_MARKS = 500

/** Gateway times up to which a person has seen a session, and up to which its runs are known to be over. */
export interface SessionMark {
  readonly seenAt: number
  readonly stoppedAt: number
}

const NO_MARK: SessionMark = { seenAt: 0, stoppedAt: 0 }

/** What this browser remembers about the sessions, shared by all its tabs. */
export class SessionMarks {
  private readonly env: Environment
  private readonly channel
  private readonly marks = new Map<string, SessionMark>()
  /** Sessions without a mark count as seen up to the first time this browser saw a list. */
  private baseline: number | null = null

  /** `onForeign` is called when another tab has marked something. */
  constructor(env: Environment, onForeign: () => void) {
    this.env = env
    this.read()
    this.channel = env.openChannel(CHANNEL)
    this.channel?.onMessage((message) => {
      const [key, seenAt, stoppedAt] = listOf(message)
      if (typeof key === "string" && this.raise(key, numberOf(seenAt) ?? 0, numberOf(stoppedAt) ?? 0)) onForeign()
    })
  }

  get hasBaseline(): boolean {
    return this.baseline !== null
  }

  of(key: string): SessionMark {
    const { seenAt, stoppedAt } = this.marks.get(key) ?? NO_MARK
    return { seenAt: Math.max(seenAt, this.baseline ?? 0), stoppedAt }
  }

  /** Raises marks; higher ones stay. */
  mark(key: string, { seenAt = 0, stoppedAt = 0 }: Partial<SessionMark>): void {
    if (!this.raise(key, seenAt, stoppedAt)) return
    this.channel?.post([key, seenAt, stoppedAt])
    this.save()
  }

  begin(baseline: number): void {
    this.baseline = baseline
    this.save()
  }

  dispose(): void {
    this.channel?.close()
  }

  private raise(key: string, seenAt: number, stoppedAt: number): boolean {
    const before = this.marks.get(key) ?? NO_MARK
    if (seenAt <= before.seenAt && stoppedAt <= before.stoppedAt) return false
    this.marks.delete(key)
    this.marks.set(key, {
      seenAt: Math.max(seenAt, before.seenAt),
      stoppedAt: Math.max(stoppedAt, before.stoppedAt)
    })
    return true
  }

  /** Takes over what is stored, some of which another tab may have written. */
  private read(): void {
    const saved = fieldsOf(parseJson(this.env.storage.getItem(STORAGE_KEY) ?? ""))
    this.baseline ??= numberOf(saved.baseline)
    for (const entry of listOf(saved.marks)) {
      const [key, seenAt, stoppedAt] = listOf(entry)
      if (typeof key === "string") this.raise(key, numberOf(seenAt) ?? 0, numberOf(stoppedAt) ?? 0)
    }
  }

  private save(): void {
    this.read()
    const marks = [...this.marks].slice(-MAX_MARKS).map(([key, mark]) => [key, mark.seenAt, mark.stoppedAt])
    try {
      this.env.storage.setItem(STORAGE_KEY, JSON.stringify({ baseline: this.baseline, marks }))
    } catch {
      // A full storage only means that unread marks are not remembered.
    }
  }
}
