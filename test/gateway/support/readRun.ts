import { Effect, PubSub, Schema } from "effect"
import type { GatewayEvent } from "../../../src/services/gateway/client/gatewayFrames.ts"

const ChatPayload = Schema.Struct({
  sessionKey: Schema.String,
  runId: Schema.String,
  state: Schema.String,
  message: Schema.optional(
    Schema.Struct({
      content: Schema.Union([
        Schema.String,
        Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optional(Schema.String) }))
      ])
    })
  )
})
const decodeChat = Schema.decodeUnknownOption(ChatPayload)

/** The states of one run's `chat` events up to its end, with the last text. */
export const readRun = Effect.fnUntraced(function* (events: PubSub.Subscription<GatewayEvent>, runId: string) {
  const states: Array<string> = []
  let text = ""
  for (;;) {
    const { event, payload } = yield* PubSub.take(events)
    const chat = decodeChat(payload)
    if (event !== "chat" || chat._tag === "None" || chat.value.runId !== runId) continue
    const { state, message } = chat.value
    states.push(state)
    const content = message?.content ?? []
    text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("") || text
    if (state === "final" || state === "error" || state === "aborted") return { states, text }
  }
})
