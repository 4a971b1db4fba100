import { Effect, Option, Schema } from "effect"
import { unwrapped } from "../../src/contract/unwrapped.ts"
import type { GatewayClientShape } from "../../src/services/gateway/client/GatewayClient.ts"

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })
const Row = Schema.Struct({
  role: Schema.Literal("user"),
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)]))
})
const decodeRow = Schema.decodeUnknownOption(Row)
const History = Schema.Struct({ messages: Schema.Array(Schema.Unknown) })

const textOf = ({ content = "" }: typeof Row.Type): string =>
  unwrapped(typeof content === "string" ? content : content.map(({ text = "" }) => text).join(""))

/** What people wrote in a session, in its order. */
export const writtenIn = (client: Pick<GatewayClientShape, "request">, sessionKey: string) =>
  Effect.map(client.request("chat.history", { sessionKey, limit: 1000 }, History), ({ messages }) =>
    messages.flatMap((message) => Option.toArray(Option.map(decodeRow(message), textOf)))
  )
