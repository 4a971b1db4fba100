import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import type { SessionMark as SharedMark } from "../../../../src/contract/schema/session.ts"
import type { Readable } from "../common/Observable.ts"
import type { Environment } from "../link/Environment.ts"
import { type KnownMarks, type MarkChange, NO_MARKS, type SharedMarks } from "./MarksStore.ts"

const STORAGE_KEY = "agent-console:sessions"
const CHANNEL = "agent-console:sessions"
const MAX_MARKS = 500

/** Gateway times up to which a person has seen a session, and up to which its runs are known to be over. */
interface OwnMark {
  readonly seenAt: number
  readonly stoppedAt: number
}

/** What is known of a session besides the gateway's row. */
export interface SessionMark extends OwnMark, Omit<SharedMark, "sessionKey" | "seenAt"> {
  /** What this page is changing at the moment, ahead of whoever keeps it. */
  readonly changing: MarkChange
}

const NO_MARK: OwnMark = { seenAt: 0, stoppedAt: 0 }

interface SessionMarks {
  readonly hasBaseline: boolean
  of(key: string): SessionMark
  /** The gateway's time up to which every device knows the session as seen. */
  sharedSeenAt(key: string): number
  /** Raises marks; higher ones stay. */
  mark(key: string, change: Partial<OwnMark>): void
  begin(at: number): void
  dispose(): void
}

/** What this browser remembers about the sessions, shared by all its tabs, and what the console keeps for all devices. */
export function createSessionMarks(
  env: Environment,
  shared: Readable<KnownMarks | null>,
  onForeign: () => void
): SessionMarks {
  const marks = new Map<string, OwnMark>()
  /** Sessions without a mark count as seen up to the first time this browser saw a list, if the console doesn't say. */
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

  const sharedSeenAt = (key: string): number => {
    const known = shared.get()
    const since = known?.seenSince.get(keyParts(key).gatewayId) ?? baseline ?? 0
    return Math.max(since, known?.marks.get(key)?.seenAt ?? 0)
  }

  read()
  const channel = env.openChannel(CHANNEL)
  channel?.onMessage((message) => {
    const [key, seenAt, stoppedAt] = listOf(message)
    if (typeof key === "string" && raise(key, numberOf(seenAt) ?? 0, numberOf(stoppedAt) ?? 0)) onForeign()
  })
  const stopShared = shared.subscribe(onForeign)

  return {
    get hasBaseline() {
      return baseline !== null
    },
    of: (key) => {
      const { seenAt, stoppedAt } = marks.get(key) ?? NO_MARK
      const { changing, marks: kept } = shared.get() ?? NO_MARKS
      const { archivedAt = null, group = null, pinned = false } = kept.get(key) ?? {}
      const seen = Math.max(seenAt, sharedSeenAt(key))
      return { seenAt: seen, stoppedAt, pinned, archivedAt, group, changing: changing.get(key) ?? {} }
    },
    sharedSeenAt,
    mark: (key, { seenAt = 0, stoppedAt = 0 }) => {
      if (!raise(key, seenAt, stoppedAt)) return
      channel?.post([key, seenAt, stoppedAt])
      save()
    },
    begin: (at) => {
      baseline = at
      save()
    },
    dispose: () => {
      channel?.close()
      stopShared()
    }
  }
}

/** Up to when sessions were seen, here or on another device. */
interface SeenSessions {
  at(key: string, fields: Fields): number
  /** Somebody is looking at the session: all devices learn it. */
  look(key: string, fields: Fields): void
  /** The connection is new: what couldn't be sent can be sent again. */
  startAnew(): void
}

/** Newer gateways say in a row whether its last response was read; for the others, the console keeps until when. */
export function createSeenSessions(
  marks: Pick<SessionMarks, "of" | "mark" | "sharedSeenAt">,
  shared: Pick<SharedMarks, "act">
): SeenSessions {
  /** The newest end of a run that the gateway knows to be seen. */
  const there = new Map<string, number>()
  /** What was sent for each session; it's sent once, even if that fails. */
  const reported = new Map<string, string>()

  const isKnown = (key: string, { hasActiveRun, unread }: Fields, endedAt: number) =>
    typeof unread === "boolean" ? !unread || hasActiveRun === true : endedAt <= marks.sharedSeenAt(key)

  return {
    at: (key, fields) => {
      if (fields.unread === false) there.set(key, endOf(fields) ?? 0)
      return Math.max(marks.of(key).seenAt, there.get(key) ?? 0)
    },
    look: (key, fields) => {
      const seenAt = endOf(fields)
      if (seenAt === null) return
      marks.mark(key, { seenAt })
      const news = `${seenAt} ${fields.lastInteractionAt} ${textOf(fields.sessionId)}`
      if (isKnown(key, fields, seenAt) || reported.get(key) === news) return
      reported.set(key, news)
      void shared.act((store) => store.change(key, { seenAt }))
    },
    startAnew: () => reported.clear()
  }
}

/** When the last run ended; null if none did. */
export const endOf = (fields: Fields): number | null =>
  numberOf(fields.endedAt) ?? (isFailed(fields) ? numberOf(fields.updatedAt) : null)

export const isFailed = ({ status }: Fields): boolean => status === "failed" || status === "timeout"
