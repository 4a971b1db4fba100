import { Effect, Schema } from "effect"
import { messageView } from "../sessions/messageView.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method } from "./method.ts"

const MAX_CHARS = 1_000_000

/** `chat.message.get` of the newer generation: one message, however long. */
export const messageMethods: ReadonlyArray<GatewayMethod> = [
  method(
    "chat.message.get",
    "operator.read",
    Schema.Struct({
      sessionKey: Schema.String,
      messageId: Schema.String,
      maxChars: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_000_000 })))
    }),
    ({ maxChars, messageId, sessionKey }, { gateway }) =>
      Effect.gen(function* () {
        if (gateway.generation === "old") return yield* invalidRequest("unknown method: chat.message.get")
        const found = gateway.store.find(sessionKey)?.messages.find(({ id }) => id === messageId)
        if (found === undefined) return { ok: false, unavailableReason: "not_found" }
        return { ok: true, message: messageView(found, "new", "history", maxChars ?? MAX_CHARS) }
      })
  )
]
