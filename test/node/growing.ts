import { getHeapSpaceStatistics } from "node:v8"
import { Effect } from "effect"
import { giveBackStart, keepMemorySmall } from "../../src/node/heap.ts"

/** Keeps the latest of what it makes, as a server under load does, and prints how large its young generation mostly is, in bytes. */
const TURNS = 400
await Effect.runPromise(Effect.andThen(keepMemorySmall, giveBackStart))
const sizes: Array<number> = []
let kept: Array<object> = []

const turn = () => {
  for (let index = 0; index < 20_000; index++) kept.push({ index, of: [index] })
  kept = kept.slice(-20_000)
  sizes.push(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0)
  if (sizes.length < TURNS) setImmediate(turn)
  else process.stdout.write(String(sizes.sort((a, b) => a - b)[TURNS / 2]))
}
turn()
