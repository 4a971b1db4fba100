import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { Fuzz, fuzzRounds, fuzzTimeout, IS_LONG_RUN, SEED } from "../support/fuzz.ts"
import { guardedConsole } from "../support/targets/guardedConsole.ts"
import { randomTarget } from "../support/targets/randomTarget.ts"
import { WAYS } from "../support/targets/requestStyles.ts"
import { Sweep } from "../support/targets/sweep.ts"

/** Requests at a time, so that a long run holds no more of them in memory. */
const AT_ONCE = 2_000
const ROUNDS = fuzzRounds(5)

it.live(
  `whatever ${ROUNDS * AT_ONCE} targets chance makes of the routes, nobody gets in without signing in`,
  () =>
    Effect.gen(function* () {
      const { port, door, paths, disk, gatewayRequests } = yield* guardedConsole
      const before = yield* disk
      const fuzz = new Fuzz()
      const sweep = new Sweep({ port }, door)
      for (let round = 0; round < ROUNDS; round += 1) {
        const requests = Array.from({ length: AT_ONCE }, () => {
          const path = paths[fuzz.below(paths.length)] ?? "/"
          return sweep.request(randomTarget(fuzz, path, door.host), fuzz.pick(WAYS))
        })
        yield* Effect.promise(() => sweep.send(requests))
      }
      if (IS_LONG_RUN) console.info(`${sweep.sent} targets, seed ${SEED}; ${sweep.statuses}`)
      assert.strictEqual(sweep.complaints, "")
      assert.deepStrictEqual(yield* gatewayRequests, [])
      assert.deepStrictEqual(yield* disk, before)
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
  fuzzTimeout(120_000)
)
