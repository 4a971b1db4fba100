import { type Fields, textOf } from "../common/decode.ts"
import type { SessionMarks } from "./SessionMarks.ts"
import { endOf } from "./sessionRows.ts"
import type { SharedMarks } from "./sharedMarks.ts"

/** Up to when sessions were seen, here or on another device. */
export interface SeenSessions {
  at(key: string, fields: Fields): number
  /** Somebody is looking at the session: all devices learn it. */
  look(key: string, fields: Fields): void
  /** The connection is new: what couldn't be told can be told again. */
  startAnew(): void
}

/** Newer gateways say in a row whether its last response was read; for the others, the console keeps until when. */
export function createSeenSessions(
  marks: Pick<SessionMarks, "of" | "mark" | "sharedSeenAt">,
  shared: Pick<SharedMarks, "act">
): SeenSessions {
  /** The newest end of a run that the gateway knows to be seen. */
  const there = new Map<string, number>()
  /** What was told of each session; told once, whatever becomes of it. */
  const told = new Map<string, string>()

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
      if (isKnown(key, fields, seenAt) || told.get(key) === news) return
      told.set(key, news)
      void shared.act((store) => store.change(key, { seenAt }))
    },
    startAnew: () => told.clear()
  }
}
