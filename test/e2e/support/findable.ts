import { fieldsOf, recordsOf, textOf } from "../../../src/contract/looseFields.ts"
import { jsonCalls } from "./jsonCalls.ts"

/** Milliseconds between attempts, and their maximum number. */
const PAUSE_MS = 400
const LOOKS = 60

/** Waits until the console's search finds a hit of a kind, because new texts are indexed a moment later. */
export const findable = async (console: { readonly url: string }, words: string, kind = "message"): Promise<void> => {
  const call = jsonCalls(console)
  const path = `/api/search?${new URLSearchParams({ q: words, kind })}`
  for (let look = 0; look < LOOKS; look++) {
    const hits = recordsOf(fieldsOf(await call("GET", path)).hits)
    if (hits.some((hit) => textOf(hit.kind) === kind)) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`The search finds no ${kind} for “${words}”`)
}
