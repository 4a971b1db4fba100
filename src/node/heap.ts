import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"

/**
 * Bytes up to which the young generation grows, its two halves together. Requests that wait for each other survive a
 * collection of a smaller one, and are then cleared away at the price of old objects: a changed card took 1.4 times as
 * long with 2 MB. Left alone, it would grow to 128 MB under load.
 */
const MAX_YOUNG = 8 * 2 ** 20

/**
 * What the two halves may hold until the next collection, some bytes for each page's head less. Not what is committed,
 * `space_size`: without the pages promoted a moment ago that was below the limit at the limit, and one doubling more
 * followed. While V8 marks, the young generation may take more pages, so this is too large for a moment, but never too
 * small.
 */
const youngBytes = (): number => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  return young === undefined ? MAX_YOUNG : 2 * (young.space_used_size + young.space_available_size)
}

/** Milliseconds between two attempts to let it grow. */
const GROWS_EVERY = 300

const growBy = (factor: 1 | 2) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

const exposeCollector = (): NodeJS.GCFunction => {
  setFlagsFromString("--expose-gc")
  const collect: NodeJS.GCFunction = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return collect
}

/**
 * V8 takes no limit while it runs, and it reports a collection only after several of them. So the young
 * generation only grows in collections made for that, of some milliseconds at most: each doubles it once if enough has
 * survived in it since the last time.
 */
const growToLimit = () => {
  const collect = exposeCollector()
  const grow = () => {
    if (2 * youngBytes() > MAX_YOUNG) return
    growBy(2)
    collect({ type: "minor", execution: "sync" })
    growBy(1)
  }
  // Under load, Node's description of each collection took 2 % of a small request, so it's asked for one at a time.
  const observer = new PerformanceObserver(() => {
    observer.disconnect()
    grow()
    AbortSignal.timeout(GROWS_EVERY).addEventListener("abort", watch, { once: true })
  })
  const watch = () => observer.observe({ entryTypes: ["gc"] })
  growBy(1)
  watch()
}

/** Which functions V8's optimizing compilers take, by name. */
const optimize = (functions: "*" | "~") => {
  setFlagsFromString(`--turbo-filter=${functions}`)
  setFlagsFromString(`--maglev-filter=${functions}`)
}

/**
 * Keeps the optimizing compilers away until the start is over, as no function is called "~": what is hot while the console
 * starts isn't afterwards, and running them once keeps 6 MB of their own code in memory.
 *
 * Limits the young generation, and lets the old one be collected after growing by 60 %, not by up to 300 %: most of
 * that growth is garbage from requests. After 20,000 of them the process takes 123 MB, without the first 187, without
 * the second 133.
 */
export const keepMemorySmall = Effect.sync(() => {
  optimize("~")
  growToLimit()
  setFlagsFromString("--heap-growing-percent=60")
})

/** When everything to do with the start is certainly done. */
const SETTLED_AFTER = "1 second"

/**
 * One collection that frees what only the start needed, at the cost of about 50 ms without answers; from then on,
 * functions are optimized. Five seconds after the start the console takes 105 MB with both, 129 MB without.
 */
export const giveBackStart = Effect.sleep(SETTLED_AFTER).pipe(
  Effect.andThen(
    Effect.sync(() => {
      exposeCollector()({ type: "major", flavor: "last-resort", execution: "sync" })
      optimize("*")
    })
  )
)
