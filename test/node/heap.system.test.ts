import { execFileSync } from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { fileURLToPath } from "node:url"
import v8 from "node:v8"
import vm from "node:vm"
import { afterAll, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { giveBackStart, keepMemorySmall } from "../../src/node/heap.ts"

const OPTIMIZING = fileURLToPath(new URL("./optimizing.ts", import.meta.url))
const GROWING = fileURLToPath(new URL("./growing.ts", import.meta.url))

/** What V8 was told, in order: its flags, and how it was asked to collect. */
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

  it("has a young generation that grows where much lives on, and only to its limit", () => {
    const bytes = execFileSync(process.execPath, [GROWING], { encoding: "utf8", env: {} })
    assert.strictEqual(Number(bytes), 8 * 2 ** 20)
  })
})
