import { Effect, Schema } from "effect"
import { type Fields, fieldsOf, recordsOf } from "../../contract/looseFields.ts"
import { keyParts } from "../../contract/qualifiedKey.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { isLeftOut, messageIdOf, withoutEnvelopes } from "./history/chatHistory.ts"
import { readOlder } from "./history/readOlder.ts"
import type { OlderPage, OlderPlan } from "./turn/Conversation.ts"

/** The maximum characters a gateway sends of one message. */
const MAX_CHARS = 2_000_000
/** How many of a page's newest messages that were left out for their length are read one by one. */
const AUTOMATIC = 6
/** How far back older gateways are asked for a message, further each time: they send everything after it, too. */
const REACHES = [20, 100, 1_000]
const WHOLE_SINCE = "chat.message.get"

/** The gateway can't send a message, since it's too long. */
export class MessageTooLong extends Schema.TaggedError<MessageTooLong>()("MessageTooLong", {}) {}

const Whole = Schema.Struct({
  ok: Schema.optional(Schema.Unknown),
  message: Schema.optional(Schema.Unknown),
  unavailableReason: Schema.optional(Schema.Unknown)
})

/** Reads a session's history, as the rules of a conversation take it. `sessionKey` is the one among those of all gateways. */
export const makeHistoryReading = (client: GatewayClientShape, sessionKey: string) => {
  const { key } = keyParts(sessionKey)

  const readsWhole = Effect.map(client.latestConnection, (connection) => connection?.methods.has(WHOLE_SINCE) === true)

  /** All of a message; `undefined` if the gateway no longer has it. */
  const ask = Effect.fnUntraced(function* (
    id: string
  ): Effect.fn.Return<Fields | undefined, GatewayError | MessageTooLong> {
    const params = { sessionKey: key, messageId: id, maxChars: MAX_CHARS }
    const { message, ok, unavailableReason } = yield* client.request(WHOLE_SINCE, params, Whole)
    if (ok === true) return fieldsOf(message)
    if (unavailableReason === "oversized") return yield* new MessageTooLong()
    return undefined
  })

  /** Older gateways send messages as they are stored, the end of a session at a time. */
  const find = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Fields | undefined, GatewayError> {
    for (const limit of REACHES) {
      const answer = withoutEnvelopes(yield* client.request("sessions.get", { key, limit }, Schema.Unknown))
      const messages = recordsOf(fieldsOf(answer).messages)
      const found = messages.findIndex((message) => messageIdOf(message) === id || placeOf(message) === id)
      if (found >= 0) return messages[found]
      if (messages.length < limit) return undefined
    }
    return undefined
  })

  /** A page with its newest messages that were left out for their length. */
  const completed = Effect.fnUntraced(function* (page: Fields) {
    const messages = recordsOf(page.messages)
    const wanted = messages
      .filter((message) => isLeftOut(message) && (message.role === "user" || message.role === "assistant"))
      .flatMap((message) => messageIdOf(message) ?? [])
      .slice(-AUTOMATIC)
    if (wanted.length === 0 || !(yield* readsWhole)) return page
    const known = new Map<string, Fields>()
    yield* Effect.forEach(
      wanted,
      (id) =>
        ask(id).pipe(
          Effect.map((message) => message !== undefined && known.set(id, message)),
          Effect.ignore
        ),
      { concurrency: 2, discard: true }
    )
    return { ...page, messages: messages.map((message) => known.get(messageIdOf(message) ?? "") ?? message) }
  })

  const history = Effect.fnUntraced(function* (params: object, options?: { readonly background?: boolean }) {
    const answer = yield* client.request("chat.history", { ...params, sessionKey: key }, Schema.Unknown, options)
    const page: Fields = { ...(yield* completed(fieldsOf(answer))), sessionKey }
    return page
  })

  return {
    history,
    older: Effect.fnUntraced(function* (plan: OlderPlan): Effect.fn.Return<OlderPage, GatewayError> {
      const reading = readOlder(plan)
      let step = reading.next()
      while (step.done !== true) {
        const { method, params } = step.value
        step = reading.next(
          method === "chat.history"
            ? yield* history(params)
            : yield* client.request(method, { ...params, key }, Schema.Unknown)
        )
      }
      return step.value
    }),
    /** All of a message, in the form of a history's answer; `undefined` if the gateway no longer has it. */
    whole: Effect.fnUntraced(function* (id: string) {
      const message = (yield* readsWhole) ? yield* ask(id) : yield* find(id)
      return message === undefined ? undefined : { sessionKey, messages: [message] }
    })
  }
}

export type HistoryReading = ReturnType<typeof makeHistoryReading>

/** The history's name for a message without an id. */
const placeOf = (message: Fields): string => `${String(message.role)}-${String(message.timestamp)}`
