import { Effect } from "effect"
import { historyView } from "../sessions/historyView.ts"
import type { Session } from "../sessions/SessionStore.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import type { Answer, Call } from "./method.ts"

interface Around {
  readonly messageId: string
  /** An id that the session had before; its own without it. */
  readonly sessionId?: string
  readonly limit?: number
  readonly maxChars: number
}

/** The history around a message, also of a version of the conversation that was left; empty without that message. */
export const historyAround = (
  session: Session,
  { messageId, sessionId = session.sessionId, limit = 200, maxChars }: Around,
  { gateway }: Call
): Answer => {
  const path = sessionId === session.sessionId ? session.messages : session.past.get(sessionId)
  if (path === undefined) return Effect.fail(invalidRequest("sessionId does not belong to sessionKey"))
  const at = path.findIndex(({ id }) => id === messageId)
  const start = Math.max(0, Math.min(at - Math.floor(limit / 2), path.length - limit))
  return Effect.succeed({
    sessionKey: session.key,
    sessionId,
    messages:
      at < 0
        ? []
        : path.slice(start, start + limit).map((message) => historyView(message, gateway.generation, maxChars)),
    pendingInputs: { items: [], total: 0 },
    sessionInfo: gateway.sessions.row(session)
  })
}
