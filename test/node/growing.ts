import { getHeapSpaceStatistics } from "node:v8"
import { Effect } from "effect"
import { giveBackStart, keepMemorySmall } from "../../src/node/heap.ts"

/**
 * Keeps the latest of what it makes, as a server under load does, until its young generation has grown to the limit, and
 * for a while more. Then it prints how large the young generation is, in bytes.
 */
const LIMIT = 8 * 2 ** 20
const PAGE = 2 ** 18
/** More than the few turns for which it's larger while V8 marks. */
const TURNS = 50
const WINDOWS_AT_LIMIT = 4

await Effect.runPromise(Effect.andThen(keepMemorySmall, giveBackStart))
let kept: Array<object> = []
let sizes: Array<number> = []
let windows = 0

/** Two halves of whole pages; V8 counts what objects can have of a page. */
const youngBytes = () => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  return young === undefined ? 0 : 2 * PAGE * Math.ceil((young.space_used_size + young.space_available_size) / PAGE)
}

const turn = () => {
  for (let index = 0; index < 20_000; index++) kept.push({ index, of: [index] })
  kept = kept.slice(-20_000)
  sizes.push(youngBytes())
  if (sizes.length === TURNS) {
    const size = Math.min(...sizes)
    sizes = []
    if (size >= LIMIT) windows += 1
    if (windows === WINDOWS_AT_LIMIT) return process.stdout.write(String(size))
  }
  setImmediate(turn)
}
turn()
