import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { readRun } from "./readRun.ts"

/**
 * Says something in a session of the gateway and waits for the answer. A gateway that got another agent loads its
 * settings anew: in that moment it refuses what is said, or the turn fails before the model is asked; then it is said
 * once more.
 */
export const runTurn = Effect.fnUntraced(function* (sessionKey: string, message: string) {
  const client = yield* GatewayClient
  const events = yield* client.events
  const turn = Effect.gen(function* () {
    const idempotencyKey = randomUUID()
    yield* client.request("chat.send", { sessionKey, message, idempotencyKey }, Schema.Unknown).pipe(
      Effect.retry({
        schedule: Schedule.spaced("250 millis").pipe(Schedule.upTo({ duration: "60 seconds" })),
        // The same key is the same message, however often it is sent.
        while: ({ reason }) => reason === "invalid" || reason === "timeout"
      })
    )
    return yield* readRun(events, idempotencyKey)
  })
  const { states, text } = yield* Effect.repeat(turn, { times: 3, until: (run) => run.states.at(-1) === "final" })
  assert.strictEqual(states.at(-1), "final")
  return text
}, Effect.scoped)
