import { assert, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { observability } from "../../src/layers/Observability.ts"
import { testSettings } from "../support/testSettings.ts"

it.effect.each(["text", "json"] as const)(
  "lines of the log, as %s, are not kept in the spans they are written in",
  (logFormat) =>
    Effect.gen(function* () {
      for (let line = 0; line < 10; line += 1) yield* Effect.logDebug("nobody keeps this")
      yield* Effect.logInfo("nobody keeps this")
      const span = yield* Effect.currentSpan
      assert.deepStrictEqual(Reflect.get(span, "events"), [])
    }).pipe(Effect.withSpan("never ends"), Effect.provide(observability(testSettings({ logFormat }))))
)

it.effect.each([
  ["trace", ["debug", "info", "warning", "error"]],
  ["info", ["info", "warning", "error"]],
  ["warn", ["warning", "error"]],
  ["error", ["error"]],
  ["none", []]
] as const)("LOG_LEVEL=%s leaves out less severe lines", ([logLevel, expected]) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const kept: Console.Console = Object.assign(Object.create(console), { log: (text: string) => written.push(text) })
    yield* Effect.gen(function* () {
      yield* Effect.logDebug("a debug line")
      yield* Effect.logInfo("an info line")
      yield* Effect.logWarning("a warning line")
      yield* Effect.logError("an error line")
    }).pipe(Effect.provideService(Console.Console, kept), Effect.provide(observability(testSettings({ logLevel }))))
    assert.deepStrictEqual(
      written.map((line) => /an? (\w+) line$/.exec(line)?.[1]),
      [...expected]
    )
  })
)
