import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { boardInMemory } from "../../../support/boardStores.ts"
import { unreachable } from "../fakeGateway.ts"
import { flowWorldOn } from "./flowWorld.ts"

const MINUTE_MS = 60_000
const world = Effect.flatMap(Layer.build(boardInMemory), (base) => flowWorldOn(base))

describe("many cards", () => {
  it.effect("1,000 that become ready at once run three at a time, each once, in order", () =>
    Effect.gen(function* () {
      const { add, board, gateway, settle } = yield* world
      yield* board.updateConfig({ reviewRequired: false, parallel: { total: 3, perAgent: 20 } })
      const gate = yield* add("Gate", { startAt: MINUTE_MS })
      const ids: Array<string> = []
      for (let number = 0; number < 1_000; number += 1)
        ids.push((yield* add(`Card ${number}`, { after: [gate.id] })).id)
      yield* TestClock.adjust("1 minute")
      yield* settle
      yield* board.complete(gate.id, { result: "Done." })
      const started: Array<string> = []
      for (let done = 0; done < ids.length; done += 1) {
        yield* settle
        const running = (yield* board.runs("active")).map(({ taskId }) => taskId)
        assert.strictEqual(running.length, Math.min(3, ids.length - done))
        const [first = ""] = running
        started.push(first)
        yield* board.complete(first, { result: "Done." })
      }
      assert.deepStrictEqual(started, ids)
      assert.strictEqual(gateway.count("chat.send"), 1_001)
    })
  )

  it.effect("a hundred whose runs fail within a second stop after six failures", () =>
    Effect.gen(function* () {
      const { add, board, cards, gateway, items, pass } = yield* world
      gateway.refuseWith(({ method }) => (method === "chat.send" ? unreachable : undefined))
      for (let number = 0; number < 100; number += 1) yield* add(`Card ${number}`, { retry: { max: 5, waitMin: 1 } })
      yield* pass("1 minute")
      yield* pass("1 day")
      assert.isTrue((yield* board.config).parallel.paused)
      const all = [...(yield* cards).values()]
      assert.strictEqual(
        all.reduce((sum, { attempts = 0 }) => sum + attempts, 0),
        6
      )
      assert.deepStrictEqual(
        (yield* items()).map(({ actions, kind, why }) => [kind, actions.map(({ id }) => id), why]),
        [["blocked", ["resume"], { code: "STARTS_OFF_FAILURES", values: { count: 6, minutes: 10 } }]]
      )
    })
  )

  it.effect(
    "one card whose run fails within a second a hundred times asks after each, and more after every sixth",
    () =>
      Effect.gen(function* () {
        const { add, board, card, change, gateway, inbox, items } = yield* world
        gateway.refuseWith(({ method }) => (method === "sessions.patch" ? unreachable : undefined))
        yield* add("A")
        let resumed = 0
        for (let count = 1; count <= 100; count += 1) {
          assert.deepInclude(yield* card("A"), { status: "todo", autoStart: false, attempts: count })
          const open = yield* items()
          const resume = open.find(({ kind }) => kind === "blocked")
          assert.strictEqual((yield* board.config).parallel.paused, resume !== undefined)
          assert.deepStrictEqual(
            open.filter(({ kind }) => kind !== "blocked").map(({ kind, title }) => [kind, title]),
            [["failed", "A"]]
          )
          if (resume !== undefined) {
            resumed += 1
            yield* inbox.resolve(resume.id, { action: "resume" })
          }
          yield* change("A", { autoStart: true })
        }
        assert.strictEqual(resumed, 16)
      })
  )
})

/** A clock on the wall that can be put forward and back, while sleeps take as long as they take. */
const wall = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  let shiftMs = 0
  const jumping: Clock.Clock = {
    ...clock,
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + shiftMs,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + shiftMs)
  }
  return {
    onIt: Effect.provideService(Clock.Clock, jumping),
    jump: (ms: number) =>
      Effect.sync(() => {
        shiftMs += ms
      })
  }
})

describe("a clock that jumps", () => {
  it.effect("forward over a start time starts the card within a second", () =>
    Effect.gen(function* () {
      const { jump, onIt } = yield* wall
      yield* Effect.gen(function* () {
        const { add, pass, running } = yield* world
        yield* add("Tomorrow", { startAt: 24 * 60 * MINUTE_MS })
        yield* pass("1 hour")
        assert.deepStrictEqual(yield* running, [])
        yield* jump(23 * 60 * MINUTE_MS)
        yield* pass("1 second")
        assert.deepStrictEqual(yield* running, ["Tomorrow"])
      }).pipe(onIt)
    })
  )

  it.effect("back doesn't start it early, nor what ran once more", () =>
    Effect.gen(function* () {
      const { jump, onIt } = yield* wall
      yield* Effect.gen(function* () {
        const { add, board, card, finish, pass, running } = yield* world
        yield* board.updateConfig({ reviewRequired: false, parallel: { perAgent: 3 } })
        yield* add("At ten", { startAt: 10 * MINUTE_MS })
        yield* pass("9 minutes")
        yield* jump(-60 * MINUTE_MS)
        yield* pass("1 minute")
        assert.deepStrictEqual(yield* running, [])
        yield* pass("60 minutes")
        assert.deepStrictEqual(yield* running, ["At ten"])
        yield* finish("At ten")
        yield* jump(-60 * MINUTE_MS)
        yield* pass("2 hours")
        assert.deepInclude(yield* card("At ten"), { status: "done", attempts: 1 })
      }).pipe(onIt)
    })
  )
})
