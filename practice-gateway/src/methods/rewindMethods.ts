import { Effect, Schema } from "effect"
import { branchesOf, takePath } from "../sessions/branches.ts"
import type { Session } from "../sessions/SessionStore.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { type Call, type GatewayMethod, method } from "./method.ts"

/** The session that shall go on with another path, unless a turn is running there. */
const idleSession = Effect.fnUntraced(function* ({ gateway }: Call, sessionKey: string, action: string) {
  const session = gateway.store.find(sessionKey)
  if (session === undefined) return yield* invalidRequest(`session not found: ${sessionKey}`)
  if (session.activeRuns.size > 0)
    return yield* new GatewayRefusal({
      code: "UNAVAILABLE",
      message: `${action} is unavailable while the agent is working.`
    })
  return session
})

const switchTo = (session: Session, leaf: string, newId: () => string) => {
  const path = session.branches.find((branch) => branch.at(-1)?.id === leaf)
  if (path !== undefined) return Effect.sync(() => takePath(session, path, newId))
  if (session.messages.at(-1)?.id === leaf) return Effect.fail(invalidRequest(`branch is already active: ${leaf}`))
  const isKnown = [session.messages, ...session.branches].some((branch) => branch.some(({ id }) => id === leaf))
  return Effect.fail(invalidRequest(isKnown ? `entry is not a branch tip: ${leaf}` : `branch entry not found: ${leaf}`))
}

/** The ways back: to before a question, and to a version of the conversation that was left so. */
export const rewindMethods: ReadonlyArray<GatewayMethod> = [
  method(
    "sessions.rewind",
    "operator.admin",
    Schema.Struct({ sessionKey: Schema.String, entryId: Schema.String }),
    ({ sessionKey, entryId }, call) =>
      Effect.gen(function* () {
        const { gateway } = call
        const session = yield* idleSession(call, sessionKey, "Rewind")
        const index = session.messages.findIndex(({ id }) => id === entryId)
        const question = session.messages[index]
        if (question === undefined) return yield* invalidRequest(`message entry not found: ${entryId}`)
        if (question.role !== "user") return yield* invalidRequest(`entry is not a user message: ${entryId}`)
        takePath(session, session.messages.slice(0, index), gateway.newId)
        gateway.sessions.reason(session, "rewind")
        const images = question.images.map(({ mimeType, data }) => ({ mimeType, data }))
        return { editorText: question.text, ...(images.length === 0 ? {} : { editorAttachments: images }) }
      })
  ),
  method("sessions.branches.list", "operator.read", Schema.Struct({ sessionKey: Schema.String }), (params, call) =>
    Effect.gen(function* () {
      const session = call.gateway.store.find(params.sessionKey)
      return { branches: session === undefined ? [] : branchesOf(session) }
    })
  ),
  method(
    "sessions.branches.switch",
    "operator.admin",
    Schema.Struct({ sessionKey: Schema.String, leafEntryId: Schema.String }),
    ({ sessionKey, leafEntryId }, call) =>
      Effect.gen(function* () {
        const { gateway } = call
        const session = yield* idleSession(call, sessionKey, "Branch switch")
        yield* switchTo(session, leafEntryId, gateway.newId)
        gateway.sessions.reason(session, "branch-switch")
        return {}
      })
  )
]
