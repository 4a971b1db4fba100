import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Staging } from "../../../../src/services/machine/update/Staging.ts"
import { UpdateJournal, UpdateLog } from "../../../../src/services/machine/update/UpdateJournal.ts"
import { UpdateReport } from "../../../../src/services/machine/update/UpdateReport.ts"
import { UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"
import { HealthProbe, makeUpdateSteps, NotHealthy } from "../../../../src/services/machine/update/updateSteps.ts"
import { VersionSwap } from "../../../../src/services/machine/update/VersionSwap.ts"

/** Starts 1.1.0 on a machine where only the probe has anything to say; answers when it was asked, in seconds. */
const startWith = (answer: (look: number) => Effect.Effect<string, NotHealthy>) =>
  Effect.gen(function* () {
    const looks = yield* Ref.make<ReadonlyArray<number>>([])
    const quiet = Layer.mergeAll(
      Layer.mock(Staging, {}),
      Layer.mock(VersionSwap, {}),
      Layer.mock(UpdateLog, { name: "update.log" }),
      Layer.succeed(UpdateTarget, {
        directory: "/",
        svcHome: "/",
        address: "",
        path: undefined,
        releasesUrl: undefined,
        allowedSigners: undefined
      }),
      Layer.mock(UpdateJournal, { phase: () => Effect.void }),
      Layer.mock(UpdateReport, { step: (_title, effect) => effect, say: () => Effect.void }),
      Layer.succeed(HealthProbe, {
        runningVersion: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const before = yield* Ref.getAndUpdate(looks, (all) => [...all, now / 1000])
          return yield* answer(before.length)
        })
      })
    )
    const run = Effect.gen(function* () {
      const { start } = yield* makeUpdateSteps
      return yield* start("1.1.0", Option.some({ label: "it", problem: undefined, restart: Effect.void }))
    }).pipe(Effect.provide(quiet), Effect.match({ onFailure: ({ step }) => step, onSuccess: () => "healthy" as const }))
    const fiber = yield* Effect.forkChild(run)
    yield* TestClock.adjust("2 minutes")
    return { result: yield* Fiber.join(fiber), looks: yield* Ref.get(looks) }
  })

const away = Effect.fail(new NotHealthy({ message: "away" }))

it.effect("health is looked at again after 2, 4 and 8 seconds, and given up after 60", () =>
  Effect.gen(function* () {
    const { result, looks } = yield* startWith(() => away)
    assert.strictEqual(result, "health")
    assert.deepStrictEqual(looks, [0, 2, 6, 14, 22, 30, 38, 46, 54, 60])
  })
)

it.effect("a console that needs a while is waited for", () =>
  Effect.gen(function* () {
    const { result, looks } = yield* startWith((look) => (look < 3 ? away : Effect.succeed("1.1.0")))
    assert.strictEqual(result, "healthy")
    assert.deepStrictEqual(looks, [0, 2, 6, 14])
  })
)

it.effect("another version ends it at once", () =>
  Effect.gen(function* () {
    const { result, looks } = yield* startWith(() => Effect.succeed("1.0.0"))
    assert.strictEqual(result, "health")
    assert.deepStrictEqual(looks, [0])
  })
)
