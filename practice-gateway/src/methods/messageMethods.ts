import { Effect, Schema } from "effect"
import { messageView } from "../sessions/messageView.ts"
import { type GatewayMethod, method } from "./method.ts"

const MAX_CHARS = 1_000_000

/** `chat.message.get`: one message, however long. */
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
        const found = gateway.store.find(sessionKey)?.messages.find(({ id }) => id === messageId)
        if (found === undefined) return { ok: false, unavailableReason: "not_found" }
        return { ok: true, message: messageView(found, maxChars ?? MAX_CHARS) }
      })
  )
]
