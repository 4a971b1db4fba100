import { assert, it, vi } from "@effect/vitest"
import { Console, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BatchedConsole } from "../../src/layers/Observability.ts"

/** What is written to standard output while the effect runs. */
const written = Effect.acquireRelease(
  Effect.sync(() => {
    const texts: Array<string> = []
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => texts.push(String(text)) > 0)
    return { texts, spy }
  }),
  ({ spy }) => Effect.sync(() => spy.mockRestore())
).pipe(Effect.map(({ texts }) => texts))

it.effect("lines of the log are written together, in order, soon after the first", () =>
  Effect.gen(function* () {
    const texts = yield* written
    yield* Effect.gen(function* () {
      yield* Console.log("one", 1)
      yield* Console.log("two")
      assert.deepStrictEqual(texts, [])
      yield* TestClock.adjust("200 millis")
      assert.deepStrictEqual(texts, ["one 1\ntwo\n"])
      yield* TestClock.adjust("1 minute")
      yield* Console.log("three")
      yield* TestClock.adjust("200 millis")
      assert.deepStrictEqual(texts.slice(1), ["three\n"])
    }).pipe(Effect.provide(BatchedConsole))
  })
)

it.effect("many characters are written at once", () =>
  Effect.gen(function* () {
    const texts = yield* written
    yield* Console.log("x".repeat(20_000)).pipe(
      Effect.andThen(Effect.sync(() => assert.strictEqual(texts.length, 1))),
      Effect.provide(BatchedConsole)
    )
  })
)

it.effect("what waits is written when the process exits, and when the log ends", () =>
  Effect.gen(function* () {
    const texts = yield* written
    yield* Effect.gen(function* () {
      yield* Console.log("before the exit")
      const [listener] = process.listeners("exit").slice(-1)
      listener?.(0)
      assert.deepStrictEqual(texts, ["before the exit\n"])
      yield* Console.log("at the end")
    }).pipe(Effect.provide(BatchedConsole))
    assert.deepStrictEqual(texts.slice(1), ["at the end\n"])
  })
)
