import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { GatewayCalls } from "../../../../src/services/gateway/client/GatewayCalls.ts"
import { GatewayCli } from "../../../../src/services/gateway/client/GatewayCli.ts"
import type { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import { cliMissing } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { Models } from "../../../../src/services/gateway/models/Models.ts"
import { failures, makeAnsweringGateway } from "../../../support/answeringGateway.ts"

const rows = { models: [{ id: "fast", provider: "p", name: "Fast" }], config: {} }
const fast = [{ id: "p/fast", label: "Fast", provider: "p" }]

/** A tool that prints one object for each list of arguments; missing for any other. */
const toolPrinting = (prints: Readonly<Record<string, unknown>>, runs: Array<string> = []) =>
  Layer.succeed(
    GatewayCli,
    GatewayCli.of({
      available: true,
      json: (args, schema) =>
        Effect.suspend(() => {
          runs.push(args.join(" "))
          const found = Schema.decodeUnknownOption(schema)(prints[args.join(" ")])
          return Effect.mapError(Effect.fromOption(found), () => cliMissing)
        }),
      call: () => Effect.fail(cliMissing)
    })
  )

const makeModels = Effect.fnUntraced(function* (
  answer: () => Effect.Effect<unknown, GatewayError>,
  tool: Layer.Layer<GatewayCli> = toolPrinting({})
) {
  const gateway = yield* makeAnsweringGateway(answer)
  const context = yield* Layer.build(
    Models.layer.pipe(Layer.provide(GatewayCalls.layer), Layer.provide(tool), Layer.provide(gateway.layer))
  )
  return { list: (yield* Effect.provide(Models, context)).list, gateway }
})

describe("models", () => {
  it.effect("are kept for five minutes", () =>
    Effect.gen(function* () {
      const { list, gateway } = yield* makeModels(() => Effect.succeed(rows))
      assert.deepStrictEqual(yield* list, fast)
      yield* TestClock.adjust("299 seconds")
      yield* list
      assert.strictEqual(gateway.count("models.list"), 1)
      yield* TestClock.adjust("2 seconds")
      yield* list
      assert.strictEqual(gateway.count("models.list"), 2)
    })
  )

  it.effect("are asked for once however many wait, also when the first of them leaves", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { list, gateway } = yield* makeModels(() => Effect.as(Deferred.await(asked), rows))
      const first = yield* Effect.forkChild(list, { startImmediately: true })
      const others = yield* Effect.forkChild(Effect.all([list, list], { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(asked, undefined)
      assert.deepStrictEqual(yield* Fiber.join(others), [fast, fast])
      assert.strictEqual(gateway.count("models.list"), 1)
    })
  )

  it.effect("are asked for again after a failure", () =>
    Effect.gen(function* () {
      let works = false
      const { list } = yield* makeModels(() => (works ? Effect.succeed(rows) : Effect.fail(failures.unreachable)))
      const error = yield* Effect.flip(list)
      assert.strictEqual(error.reason, "unreachable")
      assert.strictEqual(error.message, `${failures.unreachable.message} ${cliMissing.message}`)
      works = true
      assert.deepStrictEqual(yield* list, fast)
    })
  )

  it.effect("come from the command-line tool when the gateway cannot be asked", () =>
    Effect.gen(function* () {
      const configured = { models: [{ key: "a/b", name: "B", available: null, missing: true }] }
      const runs: Array<string> = []
      const { list } = yield* makeModels(
        () => Effect.fail(failures.missingScope),
        toolPrinting({ "models list --json": configured }, runs)
      )
      assert.deepStrictEqual(yield* list, [{ id: "a/b", label: "B", provider: "a" }])
      yield* list
      assert.deepStrictEqual(runs, ["models list --json"])
    })
  )

  it.effect("are all that the tool calls usable when none is configured", () =>
    Effect.gen(function* () {
      const all = { models: [{ key: "a/b" }, { key: "a/c", available: false }] }
      const { list } = yield* makeModels(
        () => Effect.fail(failures.unreachable),
        toolPrinting({ "models list --json": { models: [] }, "models list --all --json": all })
      )
      assert.deepStrictEqual(yield* list, [{ id: "a/b", label: "b", provider: "a" }])
    })
  )

  it.effect("in a form nobody knows are a failure with a sentence", () =>
    Effect.gen(function* () {
      const { list } = yield* makeModels(() => Effect.succeed({ models: "many", config: {} }))
      const error = yield* Effect.flip(list)
      assert.strictEqual(error.reason, "shape")
      assert.match(error.message, /Couldn't read the gateway's response to models\.list/)
    })
  )
})
