import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
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
