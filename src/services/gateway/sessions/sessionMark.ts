import type { MarkChange, SessionMark } from "../../../contract/schema/session.ts"

/** A session nobody has marked. */
export const unmarked = (sessionKey: string): SessionMark => ({
  sessionKey,
  pinned: false,
  archivedAt: null,
  group: null,
  seenAt: 0
})

/** The mark after a change: who archives a session unpins it, who pins it brings it back, and what was read stays read. */
export const changedMark = (mark: SessionMark, change: MarkChange): SessionMark => {
  const archivedAt =
    change.archivedAt ?? (change.archivedAt === null || change.pinned === true ? null : mark.archivedAt)
  return {
    sessionKey: mark.sessionKey,
    pinned: archivedAt === null && (change.pinned ?? mark.pinned),
    archivedAt,
    group: change.group === undefined ? mark.group : (change.group?.trim() ?? null),
    seenAt: Math.max(mark.seenAt, change.seenAt ?? 0)
  }
}

/** The mark without what the gateway keeps from now on. */
export const handedOver = (mark: SessionMark, change: MarkChange): SessionMark => ({
  sessionKey: mark.sessionKey,
  pinned: change.pinned === undefined && change.archivedAt == null && mark.pinned,
  archivedAt: change.archivedAt === undefined && change.pinned !== true ? mark.archivedAt : null,
  group: change.group === undefined ? mark.group : null,
  seenAt: mark.seenAt
})

/** Whether nothing is left of a mark. */
export const isUnmarked = ({ archivedAt, group, pinned, seenAt }: SessionMark): boolean =>
  !pinned && archivedAt === null && group === null && seenAt === 0
