import { Effect, Schema } from "effect"
import { type Message, messageText } from "../sessions/messages.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method } from "./method.ts"

const MAX_HITS = 25

const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")

/** `sessions.search`: messages with these words in this order, also in versions that were left. */
export const searchMethods: ReadonlyArray<GatewayMethod> = [
  method(
    "sessions.search",
    "operator.read",
    Schema.Struct({
      query: Schema.String,
      sessionKeys: Schema.optionalKey(Schema.Array(Schema.String)),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_HITS })))
    }),
    ({ query, sessionKeys, limit }, { gateway }) => {
      if (query.trim() === "") return Effect.fail(invalidRequest("query must not be empty"))
      const wanted = wordsOf(query)
      const isHit = (message: Message) =>
        (message.role === "user" || message.role === "assistant") &&
        ` ${wordsOf(messageText(message))} `.includes(` ${wanted} `)
      const results = gateway.store
        .newest()
        .filter(({ key }) => sessionKeys === undefined || sessionKeys.includes(key))
        .flatMap((session) =>
          [[session.sessionId, session.messages] as const, ...session.past].flatMap(([sessionId, messages]) =>
            messages.filter(isHit).map((message) => ({
              sessionKey: session.key,
              sessionId,
              messageId: message.id,
              role: message.role,
              timestamp: message.timestamp,
              snippet: messageText(message).slice(0, 160),
              score: 1
            }))
          )
        )
      return Effect.succeed({ results: wanted === "" ? [] : results.slice(0, limit ?? MAX_HITS) })
    }
  )
]
