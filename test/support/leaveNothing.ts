import { afterAll, assert, vi } from "vitest"

/** Libraries keep their globals under such names. */
const OF_A_LIBRARY = /^(~|__)/

const globals = () =>
  new Map(
    Object.entries(Object.getOwnPropertyDescriptors(globalThis))
      .filter(([name]) => !OF_A_LIBRARY.test(name))
      // Node replaces a getter by its value when that is first read.
      .map(([name, { get, value }]) => [name, get === undefined ? value : "a getter"])
  )

const before = { globals: globals(), variables: { ...process.env }, folder: process.cwd() }

/**
 * The files of the unit tests share workers, so leftovers of one would affect the next. What vitest replaced
 * (timers, globals, variables, functions) is restored here; a file that leaves anything else fails. What can't be
 * restored, like `vi.mock`, belongs in a `*.system.test.ts`, which has its own worker.
 */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  const after = globals()
  const changed = [...before.globals, ...after].filter(
    ([name]) => before.globals.get(name) !== "a getter" && !Object.is(before.globals.get(name), after.get(name))
  )
  assert.deepStrictEqual(
    changed.map(([name]) => name),
    [],
    "globals"
  )
  assert.deepStrictEqual({ ...process.env }, before.variables, "variables")
  assert.strictEqual(process.cwd(), before.folder)
})
