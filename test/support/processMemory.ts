import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"

const fieldOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0)

/** The memory of this process and its children in bytes; Linux only. */
const heldNow = (): number => {
  let total = 0
  for (const id of readdirSync("/proc")) {
    if (!/^\d+$/.test(id)) continue
    try {
      const status = readFileSync(`/proc/${id}/status`, "utf8")
      const isOwn = Number(id) === process.pid || fieldOf(status, "PPid") === process.pid
      if (isOwn) total += fieldOf(status, "VmRSS") * 1024
    } catch {
      // It ended meanwhile.
    }
  }
  return total
}

/** Measures the peak memory of this process and its children above the start, while the scope lasts. */
export const followMemory = Effect.gen(function* () {
  const start = heldNow()
  let most = start
  const following = setInterval(() => {
    most = Math.max(most, heldNow())
  }, 20)
  yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(following)))
  return () => Math.max(most, heldNow()) - start
})
