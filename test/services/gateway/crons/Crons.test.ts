import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { GatewayCalls } from "../../../../src/services/gateway/client/GatewayCalls.ts"
import { GatewayCli } from "../../../../src/services/gateway/client/GatewayCli.ts"
import { cliMissing } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { Crons } from "../../../../src/services/gateway/crons/Crons.ts"
import { type AnsweredCall, failures, makeAnsweringGateway } from "../../../support/answeringGateway.ts"

const NoTool = Layer.succeed(
  GatewayCli,
  GatewayCli.of({ available: false, json: () => Effect.fail(cliMissing), call: () => Effect.fail(cliMissing) })
)

const runId = "manual:j:1000:1"
const ended = { jobId: "j", action: "finished", status: "ok", summary: "done", runId, runAtMs: 1000 }

const makeCrons = Effect.fnUntraced(function* (answers: Readonly<Record<string, (call: AnsweredCall) => unknown>>) {
  const gateway = yield* makeAnsweringGateway((call) => {
    const answer = answers[call.method]
    return answer === undefined ? Effect.fail(failures.unreachable) : Effect.sync(() => answer(call))
  })
  const context = yield* Layer.build(
    Crons.layer.pipe(Layer.provide(GatewayCalls.layer), Layer.provide(NoTool), Layer.provide(gateway.layer))
  )
  return { gateway, crons: yield* Effect.provide(Crons, context) }
})

const queued = { "cron.run": () => ({ ok: true, enqueued: true, runId }) }
const start = <A, E>(run: Effect.Effect<A, E>) => Effect.forkChild(run, { startImmediately: true })

describe("a cron run", () => {
  it.effect("ends with the event of its own end, not of another job's or another run's", () =>
    Effect.gen(function* () {
      const { crons, gateway } = yield* makeCrons(queued)
      const fiber = yield* start(crons.run("j"))
      for (const other of [
        { ...ended, jobId: "k" },
        { ...ended, runId: "manual:j:999:1" },
        { ...ended, action: "started" },
        "nonsense"
      ]) {
        yield* gateway.emit("cron", other)
      }
      yield* gateway.emit("chat", ended)
      yield* gateway.emit("cron", { ...ended, job: { id: "j" }, status: "error", error: "it broke" })
      assert.deepStrictEqual(yield* Fiber.join(fiber), { ...ended, status: "error", error: "it broke" })
    })
  )

  it.effect("is found in the history when its event was missed, also after the link was away", () =>
    Effect.gen(function* () {
      let entries: ReadonlyArray<object> | undefined
      const { crons } = yield* makeCrons({ ...queued, "cron.runs": () => (entries === undefined ? null : { entries }) })
      const fiber = yield* start(crons.run("j"))
      yield* TestClock.adjust("5 seconds")
      entries = [{ ...ended, runId: "manual:j:1:1" }]
      yield* TestClock.adjust("5 seconds")
      entries = [ended, ...entries]
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ended)
    })
  )

  it.effect("that continues for 60 seconds is reported as running", () =>
    Effect.gen(function* () {
      const { crons } = yield* makeCrons({ ...queued, "cron.runs": () => ({ entries: [] }) })
      const fiber = yield* start(crons.run("j"))
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        jobId: "j",
        runId,
        running: true,
        details: "The job is still running after 60 seconds. Its run history will show how it ends."
      })
    })
  )

  it.effect("of a job that runs already, or was not started, is a failure that says so", () =>
    Effect.gen(function* () {
      for (const [reason, expected] of [
        ["already-running", "CronJobRunning"],
        ["not-due", "GatewayError"]
      ] as const) {
        const { crons } = yield* makeCrons({ "cron.run": () => ({ ok: true, ran: false, reason }) })
        assert.strictEqual((yield* Effect.flip(crons.run("j")))._tag, expected)
      }
    })
  )
})

describe("the list of cron jobs", () => {
  it.effect("has every page and each job once, and ends where a gateway's pages do not advance", () =>
    Effect.gen(function* () {
      const pages: Readonly<Record<number, object>> = {
        0: { jobs: [{ id: "a" }, { id: "b" }], nextOffset: 2 },
        2: { jobs: [{ id: "b" }, { id: "c" }], nextOffset: 2 }
      }
      const { crons, gateway } = yield* makeCrons({
        "cron.list": ({ params }) => pages["offset" in params ? Number(params.offset) : -1]
      })
      assert.deepStrictEqual(
        (yield* crons.list).map(({ id }) => id),
        ["a", "b", "c"]
      )
      assert.strictEqual(gateway.count("cron.list"), 2)
    })
  )

  it.effect("of a form nobody knows is a failure with a sentence", () =>
    Effect.gen(function* () {
      const { crons } = yield* makeCrons({ "cron.list": () => ({ jobs: [{ name: "no id" }] }) })
      assert.strictEqual((yield* Effect.flip(crons.list)).reason, "shape")
    })
  )
})

describe("a cron job's id", () => {
  it.effect("that could be a path never reaches the gateway", () =>
    Effect.gen(function* () {
      const { crons, gateway } = yield* makeCrons({})
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        crons.run("../x"),
        crons.runs(".."),
        crons.remove("a/b"),
        crons.setEnabled("a\\b", true),
        crons.patch("a\0", { enabled: true })
      ]
      for (const call of calls) assert.strictEqual((yield* Effect.flip(call))._tag, "CronJobNotFound")
      assert.deepStrictEqual(gateway.calls, [])
    })
  )
})
