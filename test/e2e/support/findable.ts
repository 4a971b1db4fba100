import { fieldsOf, recordsOf, textOf } from "../../../web/src/core/common/decode.ts"
import { jsonCalls } from "./jsonCalls.ts"

/** Milliseconds between looks, and how many of them before a test gives up. */
const PAUSE_MS = 400
const LOOKS = 60

/** Waits until the console's search finds something of a kind: what was just written is indexed a moment later. */
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
