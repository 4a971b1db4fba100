import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { endStop, stopEverything } from "../../../src/services/budgets/budgetChanges.ts"
import type { GatewayMeter } from "../../../src/services/budgets/gatewayMeter.ts"
import { makeSessionStops } from "../../../src/services/budgets/sessionStops.ts"
import { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import { makeBookWorld } from "./bookWorld.ts"

const PARENT = "agent:main:parent"
const CHILD = "agent:main:subagent:silent"
const OTHER = "agent:main:other"

/** A gateway that leaves the stop of some sessions unanswered. */
const makeGateway = () => {
  const silent = new Set<string>()
  const asked: Array<string> = []
  let isHere = true
  const meter: GatewayMeter = {
    gatewayId: "primary",
    isHere: Effect.sync(() => isHere),
    abort: (sessionKey) =>
      Effect.suspend(() => {
        asked.push(sessionKey)
        return silent.has(sessionKey) ? Effect.never : Effect.succeed(true)
      }),
    lookUp: () => Effect.fail(new GatewayError({ reason: "failed", message: "no" })),
    isOver: () => Effect.void,
    reset: () => Effect.void,
    onEvent: () => Effect.void,
    sessionId: Effect.succeed,
    refresh: Effect.void
  }
  return {
    meter,
    silent,
    asked,
    setHere: (next: boolean) => {
      isHere = next
    }
  }
}

const ALL = { scope: { kind: "all" }, period: "total", limit: { turns: 1 }, zone: "UTC" } as const

/** Lets everything run that waits for nothing. */
const settled = TestClock.adjust(0)

describe("a stop that the gateway leaves unanswered", () => {
  it.effect("delays no other: neither the parent's, nor one that comes later", () =>
    Effect.gen(function* () {
      const world = yield* makeBookWorld
      const { meter, silent, asked } = makeGateway()
      const { add, begin, book, held, say, spawned } = yield* world.start
      const stops = yield* makeSessionStops(book, meter, () => Effect.void)
      book.onChange(stops.wake)
      silent.add(CHILD)
      yield* spawned(CHILD, PARENT)
      yield* add("b", ALL)
      yield* begin(PARENT, "r1")
      yield* begin(CHILD, "r2")
      yield* say(PARENT, "m1", 1)
      yield* settled
      assert.deepStrictEqual(asked, [CHILD], "children first")
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(asked, [CHILD, PARENT])
      assert.strictEqual(held(PARENT)?.state, "stopped")
      yield* begin(OTHER, "r3")
      yield* settled
      assert.deepStrictEqual(asked, [CHILD, PARENT, OTHER])
      assert.strictEqual(held(OTHER)?.state, "stopped")
      // Another turn of a stopped session is stopped as well.
      yield* begin(PARENT, "r4")
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(asked.at(-1), PARENT)
      assert.strictEqual(held(CHILD)?.state, "stopping")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "is tried again a second later, told ten seconds after the first, and taken back by a restarted console",
    () =>
      Effect.gen(function* () {
        const world = yield* makeBookWorld
        const { meter, silent, asked } = makeGateway()
        silent.add(OTHER)
        const run = Effect.gen(function* () {
          const console = yield* world.start
          const stops = yield* makeSessionStops(console.book, meter, () => Effect.void)
          console.book.onChange(stops.wake)
          return console
        })
        yield* Effect.gen(function* () {
          const { add, begin, items, say } = yield* run
          yield* add("b", ALL)
          yield* begin(OTHER, "r1")
          yield* say(OTHER, "m1", 1)
          yield* TestClock.adjust("5 seconds")
          assert.lengthOf(asked, 1)
          yield* TestClock.adjust("1 second")
          assert.lengthOf(asked, 2)
          assert.notInclude(
            (yield* items).map(({ kind }) => kind),
            "failed"
          )
          yield* TestClock.adjust("5 seconds")
          assert.deepStrictEqual(
            (yield* items).filter(({ kind }) => kind === "failed").map(({ state }) => state),
            ["open"]
          )
        }).pipe(Effect.scoped)
        silent.clear()
        const { held, items } = yield* run
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(held(OTHER)?.state, "stopped")
        assert.deepStrictEqual(
          (yield* items).filter(({ kind }) => kind === "failed").map(({ state }) => state),
          ["resolved"]
        )
      }).pipe(Effect.scoped)
  )

  it.effect("is no longer told once nothing holds the session, and asked for anew when a gateway returns", () =>
    Effect.gen(function* () {
      const world = yield* makeBookWorld
      const { meter, silent, asked, setHere } = makeGateway()
      silent.add(OTHER)
      const { begin, book, items } = yield* world.start
      const stops = yield* makeSessionStops(book, meter, () => Effect.void)
      book.onChange(stops.wake)
      yield* begin(OTHER, "r1")
      yield* book.write((entry) => Result.succeed(stopEverything(entry, "operator", undefined)))
      yield* TestClock.adjust("11 seconds")
      assert.deepStrictEqual(
        (yield* items).map(({ kind, state }) => [kind, state]),
        [["failed", "open"]]
      )
      setHere(false)
      // What was asked of it before has its time.
      yield* TestClock.adjust("10 seconds")
      const before = asked.length
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(asked.length, before)
      setHere(true)
      stops.wake()
      yield* settled
      assert.strictEqual(asked.length, before + 1)
      yield* book.write((entry) => {
        endStop(entry)
        return Result.void
      })
      assert.deepStrictEqual(
        (yield* items).map(({ kind, state }) => [kind, state]),
        [["failed", "resolved"]]
      )
    }).pipe(Effect.scoped)
  )
})
