import { writeFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import type { GatewayClientShape } from "../../src/services/gateway/client/GatewayClient.ts"
import { answerLine, lines } from "./transcripts.ts"

const AT = Date.parse("2026-11-20T10:00:00.000Z")
const key = (number: number) => `agent:main:s${number}`
const text = (number: number) => `The pump of greenhouse ${number} was looked at, and valve${number} is open.`

/** Transcripts of a number of conversations with one message each, and their list. */
export const writeSessions = (folder: string, count: number): void => {
  const names: Record<string, object> = {}
  for (let number = 0; number < count; number++) {
    names[key(number)] = { sessionId: `s${number}`, label: `Greenhouse ${number}`, updatedAt: AT + number }
    writeFileSync(`${folder}/s${number}.jsonl`, lines(answerLine({ at: AT + number, text: text(number) })))
  }
  writeFileSync(`${folder}/sessions.json`, JSON.stringify(names))
}

/** The responses of a gateway with a number of conversations. */
const answerOf = (count: number, method: string, params: object): object => {
  if (method === "sessions.list") {
    if ("archived" in params && params.archived === true) return { sessions: [], hasMore: false }
    const offset = "offset" in params ? Number(params.offset) : 0
    const limit = "limit" in params ? Number(params.limit) : count
    const sessions = Array.from({ length: Math.min(limit, count - offset) }, (_, index) => ({
      key: key(offset + index),
      updatedAt: AT + offset + index,
      label: `Greenhouse ${offset + index}`
    }))
    return { sessions, hasMore: offset + sessions.length < count }
  }
  const number = Number("sessionKey" in params && String(params.sessionKey).slice(key(0).length - 1))
  const message = { role: "assistant", content: text(number), timestamp: AT + number, __openclaw: { id: `m${number}` } }
  return { messages: [message], hasMore: false }
}

/** A gateway with a number of conversations of one message each; `onCall` receives each call. */
export const gatewayWith = (
  count: number,
  onCall: (method: string) => Effect.Effect<void> = () => Effect.void
): Pick<GatewayClientShape, "request"> => ({
  request: (method, params, payload) =>
    Effect.andThen(onCall(method), Effect.orDie(Schema.decodeUnknownEffect(payload)(answerOf(count, method, params))))
})
