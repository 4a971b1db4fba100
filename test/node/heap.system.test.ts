import { execFileSync } from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import v8 from "node:v8"
import vm from "node:vm"
import { afterAll, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { giveBackStart, keepMemorySmall } from "../../src/node/heap.ts"

const OPTIMIZING = fileURLToPath(new URL("./optimizing.ts", import.meta.url))
const GROWING = fileURLToPath(new URL("./growing.ts", import.meta.url))

const MIB = 2 ** 20
const MAX_YOUNG = 8 * MIB
/** Only so that a process that never ends doesn't hold up the others. */
const SLOW = 120_000

/** The size of a young generation as V8 reports it: page headers aren't available to objects. */
const youngSpace = (half: number, committed: number): v8.HeapSpaceInfo => {
  const space_used_size = half / 4
  const space_available_size = half - half / 4 - (half / 2 ** 18) * 16
  return {
    space_name: "new_space",
    space_size: committed,
    space_used_size,
    space_available_size,
    physical_space_size: committed
  }
}

/** Makes garbage until something has happened that follows from collections. */
const collected = (isDone: () => boolean) =>
  Effect.promise(async () => {
    for (let made: Array<object> = []; !isDone(); made = []) {
      for (let index = 0; index < 20_000; index++) made.push({ index })
      await setImmediate()
    }
  })

/** The calls to V8 in order: its flags, and the kinds of collections. */
let told: Array<unknown> = []
const collect = (options: unknown) => {
  told.push(options)
}

vi.spyOn(v8, "setFlagsFromString").mockImplementation((flag) => {
  told.push(flag)
})
vi.spyOn(vm, "runInNewContext").mockImplementation((code) => {
  assert.strictEqual(code, "gc")
  return collect
})
syncBuiltinESMExports()

beforeEach(() => {
  told = []
})

afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe("the memory of the process", () => {
  it.effect("is given back a second after the start, by one collection that nobody else can ask for", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(giveBackStart)
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(told, [])
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(told, [
        "--expose-gc",
        "--no-expose-gc",
        { type: "major", flavor: "last-resort", execution: "sync" },
        "--turbo-filter=*",
        "--maglev-filter=*"
      ])
      assert.isUndefined(globalThis.gc)
    })
  )

  it.effect("is kept small by flags that this V8 knows", () =>
    Effect.gen(function* () {
      yield* keepMemorySmall
      const flags = told.map(String)
      assert.deepStrictEqual(flags, [
        "--turbo-filter=~",
        "--maglev-filter=~",
        "--expose-gc",
        "--no-expose-gc",
        "--semi-space-growth-factor=1",
        "--heap-growing-percent=60"
      ])
      // Node ends with an error over a flag that it does not know.
      const known = execFileSync(process.execPath, [...flags, "--expose-gc", "--print", "typeof gc"], {
        encoding: "utf8"
      })
      assert.strictEqual(known.trim(), "function")
    })
  )

  it("holds no optimized code of the start, and of what is hot after it", () => {
    const printed = execFileSync(process.execPath, ["--allow-natives-syntax", OPTIMIZING], {
      encoding: "utf8",
      env: {}
    })
    assert.deepStrictEqual(JSON.parse(printed), { start: false, later: true })
  })

  it(
    "has a young generation that grows where much lives on, and only to its limit",
    () => {
      const bytes = execFileSync(process.execPath, [GROWING], { encoding: "utf8", env: {} })
      assert.strictEqual(Number(bytes), MAX_YOUNG)
    },
    SLOW
  )

  it.effect.each([
    {
      what: "isn't doubled past its limit while pages just promoted are missing in it",
      half: 4,
      committed: 7.75,
      grows: false
    },
    { what: "is doubled to its limit", half: 2, committed: 4, grows: true }
  ])("has a young generation that $what", ({ half, committed, grows }) =>
    Effect.gen(function* () {
      let readings = 0
      vi.spyOn(v8, "getHeapSpaceStatistics").mockImplementation(() => {
        readings += 1
        return [youngSpace(half * MIB, committed * MIB)]
      })
      syncBuiltinESMExports()
      yield* keepMemorySmall
      told = []
      // The second reading comes after all that followed from the first one.
      yield* collected(() => readings > 1)
      assert.deepStrictEqual(
        told.slice(0, 3),
        grows
          ? ["--semi-space-growth-factor=2", { type: "minor", execution: "sync" }, "--semi-space-growth-factor=1"]
          : []
      )
    })
  )
})
