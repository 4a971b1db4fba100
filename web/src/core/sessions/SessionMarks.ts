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

export interface SessionMarks {
  readonly hasBaseline: boolean
  of(key: string): SessionMark
  /** Raises marks; higher ones stay. */
  mark(key: string, change: Partial<SessionMark>): void
  begin(at: number): void
  dispose(): void
}

/** What this browser remembers about the sessions, shared by all its tabs; `onForeign` hears of another tab's marks. */
export function createSessionMarks(env: Environment, onForeign: () => void): SessionMarks {
  const marks = new Map<string, SessionMark>()
  /** Sessions without a mark count as seen up to the first time this browser saw a list. */
  let baseline: number | null = null

  function raise(key: string, seenAt: number, stoppedAt: number): boolean {
    const before = marks.get(key) ?? NO_MARK
    if (seenAt <= before.seenAt && stoppedAt <= before.stoppedAt) return false
    marks.delete(key)
    marks.set(key, { seenAt: Math.max(seenAt, before.seenAt), stoppedAt: Math.max(stoppedAt, before.stoppedAt) })
    return true
  }

  /** Takes over what is stored, some of which another tab may have written. */
  function read(): void {
    const saved = fieldsOf(parseJson(env.storage.getItem(STORAGE_KEY) ?? ""))
    baseline ??= numberOf(saved.baseline)
    for (const entry of listOf(saved.marks)) {
      const [key, seenAt, stoppedAt] = listOf(entry)
      if (typeof key === "string") raise(key, numberOf(seenAt) ?? 0, numberOf(stoppedAt) ?? 0)
    }
  }

  function save(): void {
    read()
    const kept = [...marks].slice(-MAX_MARKS).map(([key, mark]) => [key, mark.seenAt, mark.stoppedAt])
    try {
      env.storage.setItem(STORAGE_KEY, JSON.stringify({ baseline, marks: kept }))
    } catch {
      // A full storage only means that unread marks are not remembered.
    }
  }

  read()
  const channel = env.openChannel(CHANNEL)
  channel?.onMessage((message) => {
    const [key, seenAt, stoppedAt] = listOf(message)
    if (typeof key === "string" && raise(key, numberOf(seenAt) ?? 0, numberOf(stoppedAt) ?? 0)) onForeign()
  })

  return {
    get hasBaseline() {
      return baseline !== null
    },
    of: (key) => {
      const { seenAt, stoppedAt } = marks.get(key) ?? NO_MARK
      return { seenAt: Math.max(seenAt, baseline ?? 0), stoppedAt }
    },
    mark: (key, { seenAt = 0, stoppedAt = 0 }) => {
      if (!raise(key, seenAt, stoppedAt)) return
      channel?.post([key, seenAt, stoppedAt])
      save()
    },
    begin: (at) => {
      baseline = at
      save()
    },
    dispose: () => channel?.close()
  }
}
