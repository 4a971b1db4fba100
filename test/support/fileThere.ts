import { existsSync } from "node:fs"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Waits, in real time, until a file exists. */
export const fileThere = (path: string): Effect.Effect<void> =>
  TestClock.withLive(Effect.sleep("10 millis")).pipe(Effect.repeat({ until: () => existsSync(path) }), Effect.asVoid)
