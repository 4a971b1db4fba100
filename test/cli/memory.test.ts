import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { giveBackStart } from "../../src/cli/memory.ts"

/** An object of a megabyte that nobody holds. */
const dropped = () => new WeakRef({ bytes: Array.from({ length: 131_072 }, (_, index) => index) })

const MODULE = fileURLToPath(new URL("../../src/cli/memory.ts", import.meta.url))

/** Holds each of many objects for a while, as requests do, and tells the most megabytes the heap took. */
const churn = (isSmall: boolean) => `
import { getHeapStatistics } from "node:v8"
import { Effect } from "effect"
import { keepMemorySmall } from ${JSON.stringify(MODULE)}
if (${isSmall}) Effect.runSync(keepMemorySmall)
const held = []
let most = 0
for (let index = 0; index < 4_000_000; index++) {
  held[index % 50_000] = { index, text: String(index) }
  if (index % 10_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size)
}
console.log(most / 2 ** 20)`

const peakMb = (isSmall: boolean): number =>
  Number(execFileSync(process.execPath, ["--input-type=module", "-e", churn(isSmall)], { encoding: "utf8" }))

describe("the memory of the process", () => {
  it.effect("is given back a second after the start, and nobody else can ask for it", () =>
    Effect.gen(function* () {
      const garbage = dropped()
      const fiber = yield* Effect.forkChild(giveBackStart)
      yield* TestClock.adjust("999 millis")
      assert.isDefined(garbage.deref())
      // What was looked at in one turn of the event loop is kept until its end.
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      assert.isUndefined(garbage.deref())
      assert.isUndefined(globalThis.gc)
    })
  )

  it.effect("grows less with garbage that lived for a while", () =>
    Effect.sync(() => {
      const [small, large] = [peakMb(true), peakMb(false)]
      assert.isBelow(small, 0.85 * large, `${small} MB beside ${large} MB`)
    })
  )
})
