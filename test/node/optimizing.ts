import { Effect } from "effect"
import { giveBackStart, keepMemorySmall } from "../../src/node/heap.ts"

/** Prints whether a hot function is optimized before the start is over, and after; V8's own `%` functions must be allowed. */
const sum = (values: ReadonlyArray<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}
const status = new Function("run", "return %GetOptimizationStatus(run)")
const MAGLEV_OR_TURBOFAN = (1 << 5) | (1 << 6)

const isOptimized = (): boolean => {
  const values = Array.from({ length: 1000 }, (_, index) => index)
  const until = performance.now() + 500
  while (performance.now() < until) sum(values)
  return (Number(status(sum)) & MAGLEV_OR_TURBOFAN) !== 0
}

await Effect.runPromise(keepMemorySmall)
const start = isOptimized()
await Effect.runPromise(giveBackStart)
process.stdout.write(JSON.stringify({ start, later: isOptimized() }))
