import { randomInt } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { walkOutbox } from "./outboxWalk.ts"

/** `OUTBOX_SEQUENCES=500 npx vitest run test/services/outbox/anySequence.system.test.ts` walks five hundred, half of them with each generation. */
const SEQUENCES = Math.max(2, Number(process.env.OUTBOX_SEQUENCES ?? 8))
/** `OUTBOX_SEED=… OUTBOX_SEQUENCES=2` repeats the walks of that seed. */
const SEED = Number(process.env.OUTBOX_SEED ?? randomInt(1_000_000))
const AT_ONCE = 8

it.live(
  `whatever people, consoles and gateways do in ${SEQUENCES} sequences, no message is lost or there twice, and their order is kept (seed ${SEED})`,
  () =>
    Effect.gen(function* () {
      const ends = yield* Effect.forEach(
        Array.from({ length: SEQUENCES }, (_, index) => index),
        (index) => {
          const seed = SEED + Math.floor(index / 2)
          const generation = index % 2 === 0 ? "new" : "old"
          return Effect.map(walkOutbox(generation, seed), (end) => ({ ...end, generation, seed }))
        },
        { concurrency: AT_ONCE }
      )
      for (const { generation, problems, seed, steps } of ends)
        assert.deepStrictEqual(problems, [], `OUTBOX_SEED=${seed}, ${generation} generation:\n${steps.join("\n")}`)
      const sum = (name: "taken" | "unsure" | "failed") => ends.reduce((total, end) => total + end[name], 0)
      console.info(`${sum("taken")} messages taken, ${sum("unsure")} unsure, ${sum("failed")} given back`)
      assert.isAbove(sum("taken"), SEQUENCES)
      assert.isAtMost(sum("unsure"), sum("taken") / 4)
    }),
  60_000 + SEQUENCES * 10_000
)
