import { Effect, Schema } from "effect"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method } from "./method.ts"

/** `sessions.rewind` of the newer generation: takes a question and all that came after it out of the session. */
export const rewindMethods: ReadonlyArray<GatewayMethod> = [
  method(
    "sessions.rewind",
    "operator.admin",
    Schema.Struct({ sessionKey: Schema.String, entryId: Schema.String }),
    ({ sessionKey, entryId }, { gateway }) =>
      Effect.suspend(() => {
        if (gateway.generation === "old") return Effect.fail(invalidRequest("unknown method: sessions.rewind"))
        const session = gateway.store.find(sessionKey)
        if (session === undefined) return Effect.fail(invalidRequest(`session not found: ${sessionKey}`))
        if (session.activeRuns.size > 0)
          return Effect.fail(
            new GatewayRefusal({ code: "UNAVAILABLE", message: "Rewind is unavailable while the agent is working." })
          )
        const index = session.messages.findIndex(({ id, role }) => id === entryId && role === "user")
        const question = session.messages[index]
        if (question?.role !== "user") return Effect.fail(invalidRequest(`message not found: ${entryId}`))
        session.messages = session.messages.slice(0, index)
        gateway.sessions.reason(session, "rewind")
        const images = question.images.map(({ mimeType, data }) => ({ mimeType, data }))
        return Effect.succeed({
          sessionKey: session.key,
          editorText: question.text,
          ...(images.length === 0 ? {} : { editorAttachments: images })
        })
      })
  )
]
