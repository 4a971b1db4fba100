import { Effect } from "effect"
import { messageView } from "../sessions/messageView.ts"
import { agentIdOf, type Session } from "../sessions/SessionStore.ts"
import type { Answer, Call } from "./method.ts"

/** From where a session's later messages can be asked for. */
export const deltaCursorOf = (session: Session) => `demo:${session.sessionId}:${session.nextSeq}`

/** More news than this, and a reader has to begin anew. */
const MAX_NEWS = 200

/** What a session got after a `deltaCursor`, in the form of `session.message` events; `reset` where that can't be told. */
export const historySince = (session: Session | undefined, cursor: string, { gateway }: Call): Answer => {
  const [, sessionId, seq = ""] = cursor.split(":")
  const news = session?.messages.filter((message) => message.seq >= Number(seq)) ?? []
  if (session === undefined || sessionId !== session.sessionId || news.length > MAX_NEWS)
    return Effect.succeed({ kind: "reset" })
  return Effect.succeed({
    kind: "delta",
    messages: news.map((message) => ({
      sessionKey: session.key,
      agentId: agentIdOf(session.key),
      message: messageView(message),
      messageId: message.id,
      messageSeq: message.seq
    })),
    deltaCursor: deltaCursorOf(session),
    pendingInputs: { items: [], total: 0 },
    sessionInfo: gateway.sessions.row(session)
  })
}
