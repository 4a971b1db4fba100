import { randomInt } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schedule } from "effect"
import { messagesOf } from "../../../src/services/outbox/outboxTable.ts"
import { eventually, makeConsoleLife } from "../../support/consoleLife.ts"
import { killedProcess, randomFrom } from "../../support/killedProcess.ts"
import { writtenIn } from "../../support/writtenIn.ts"

/** `OUTBOX_KILLS=100 npx vitest run test/services/outbox/kill.system.test.ts` does a hundred, for each generation one half. */
const KILLS = Math.max(2, Number(process.env.OUTBOX_KILLS ?? 8))
const SEED = Number(process.env.OUTBOX_SEED ?? randomInt(1_000_000))
const SESSIONS = 3

const KILLED = new URL("./killedConsole.ts", import.meta.url)

const numberOf = (text: string) => Number(/message (\d+)$/.exec(text)?.[1] ?? -1)

for (const generation of ["new", "old"] as const) {
  const kills = Math.floor(KILLS / 2)
  it.live(
    `after ${kills} x kill -9 at any moment, and a gateway that restarts and drops connections meanwhile, a gateway of the ${generation} generation has every message once and in its order (seed ${SEED})`,
    () =>
      Effect.gen(function* () {
        const random = randomFrom(SEED)
        const { client, control, gateway, start, svcHome } = yield* makeConsoleLife({ generation })
        const taken: Array<number> = []
        let next = 0
        for (let kill = 0; kill < kills; kill += 1) {
          const trouble = [Effect.void, Effect.asVoid(control.dropConnections), Effect.orDie(control.restart)]
          const meanwhile = Effect.delay(trouble[random(3)] ?? Effect.void, random(500))
          const args = [svcHome, gateway.url, Redacted.value(gateway.token), String(next), String(SESSIONS)]
          const printed = yield* killedProcess({ file: KILLED, args, meanwhile, afterMs: 100 + random(900) })
          taken.push(...printed.map(Number))
          // The last may have been taken without a word.
          next = (taken.at(-1) ?? next) + 2
        }
        const { send, sqlite } = yield* start
        const written = (sessionKey: string) =>
          writtenIn(client, sessionKey).pipe(
            Effect.retry(Schedule.spaced("50 millis")),
            Effect.map((all) => all.map(numberOf))
          )
        let unsure = 0
        let forgotten = 0
        for (let session = 0; session < SESSIONS; session += 1) {
          const sessionKey = `agent:main:k${session}`
          const items = sqlite.read((db) => messagesOf(db, { gatewayId: "primary", sessionKey }))
          // What nobody knows of is decided as a person would who looks at the conversation.
          const settled = Effect.gen(function* () {
            const left = yield* items
            const there = yield* written(sessionKey)
            for (const { id, state, text } of left) {
              if (state !== "unsure") continue
              unsure += 1
              const action = there.includes(numberOf(text)) ? "sent" : "again"
              yield* send("POST", `/api/outbox/${id}/resolve`, { action })
            }
            return left
          })
          const isSettled = eventually(settled, (left) => left.every(({ state }) => state === "failed"))
          // What hangs says where, instead of running into the test's end.
          const ended = yield* Effect.timeoutOption(isSettled, "60 seconds")
          if (Option.isNone(ended)) assert.deepStrictEqual(yield* items, [], `still there in ${sessionKey}`)
          const failed = (yield* items).map(({ text }) => numberOf(text))
          forgotten += failed.length
          const there = yield* written(sessionKey)
          assert.deepStrictEqual(there, [...new Set(there)], "no message twice")
          assert.deepStrictEqual(
            there,
            there.toSorted((a, b) => a - b),
            "in their order"
          )
          const missing = taken.filter(
            (number) => number % SESSIONS === session && !there.includes(number) && !failed.includes(number)
          )
          assert.deepStrictEqual(missing, [], "no message lost")
        }
        console.info(`${taken.length} messages taken, ${unsure} unsure, ${forgotten} given back`)
        assert.isAbove(taken.length, 0)
        assert.isBelow(unsure + forgotten, taken.length / 4)
      }),
    60_000 + KILLS * 5_000
  )
}
