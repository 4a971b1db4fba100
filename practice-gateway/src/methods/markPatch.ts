import { Schema } from "effect"
import type { Session } from "../sessions/SessionStore.ts"
import { type GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"

const flag = Schema.optionalKey(Schema.Boolean)

/** What is kept of a session besides its settings, and what it wants to hear for that. */
export const markParams = {
  archived: flag,
  pinned: flag,
  unread: flag,
  category: Schema.optionalKey(Schema.NullOr(Schema.String)),
  expectedSessionId: Schema.optionalKey(Schema.String)
}

interface MarkPatch {
  readonly archived?: boolean | undefined
  readonly pinned?: boolean | undefined
  readonly unread?: boolean | undefined
  readonly category?: string | null | undefined
  readonly expectedSessionId?: string | undefined
}

/** Helpers belong to the session that spawned them. */
const isChild = ({ key, spawnedBy }: Session) => spawnedBy !== undefined || key.includes(":subagent:")

/** Why these marks are refused; `known` says whether the session was there before. */
export const refusedMarks = (session: Session, known: boolean, patch: MarkPatch): GatewayRefusal | undefined => {
  const { archived, category, expectedSessionId, pinned } = patch
  if (archived !== undefined && !known) return invalidRequest(`session not found: ${session.key}`)
  if (archived !== undefined && expectedSessionId === undefined)
    return invalidRequest(`expectedSessionId required for session lifecycle patch: ${session.key}`)
  if (expectedSessionId !== undefined && expectedSessionId !== session.sessionId)
    return invalidRequest(`Session ${session.key} changed. Retry.`)
  if (category?.trim() === "") return invalidRequest("invalid category: empty")
  if (pinned === true && (archived ?? session.archived))
    return invalidRequest("cannot pin an archived session; restore it first")
  return pinned === true && isChild(session)
    ? invalidRequest("cannot pin a child session; pin its parent session instead")
    : undefined
}

/** Takes over the marks of a patch; one that is archived is no longer pinned. */
export const takeMarks = (session: Session, { archived, category, pinned, unread }: MarkPatch): void => {
  session.archived = archived ?? session.archived
  session.pinned = !session.archived && (pinned ?? session.pinned)
  session.unread = unread ?? session.unread
  if (category !== undefined) session.category = category?.trim()
}
