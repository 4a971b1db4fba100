import { Schema } from "effect"
import type { Desk } from "./startDesk.ts"

const Seen = Schema.Struct({ paint: Schema.Finite, usable: Schema.Finite, shift: Schema.Finite })
const decodeSeen = Schema.decodeUnknownSync(Seen)

/** The cost of one visit to the first screen; times in milliseconds since navigation started. */
export interface Load {
  readonly bytes: number
  readonly scriptBytes: number
  readonly requests: number
  readonly paintMs: number
  readonly usableMs: number
  readonly shift: number
}

/** How long late requests and shifts still count after the composer is ready. */
const SETTLE_MS = 1_500

/** Visits the first screen with an empty cache. */
export const measureLoad = async (desk: Desk): Promise<Load> => {
  const { page, cdp, close } = await desk.open()
  const types = new Map<string, string>()
  const cached = new Set<string>()
  let bytes = 0
  let scriptBytes = 0
  await cdp.send("Network.enable")
  cdp.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId))
  cdp.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type))
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    if (types.get(requestId) === "Script") scriptBytes += encodedDataLength
  })
  await page.goto(desk.url)
  await page.locator("html[data-usable]").waitFor({ state: "attached" })
  await page.waitForTimeout(SETTLE_MS)
  const { paint, usable, shift } = decodeSeen(
    await page.evaluate("({ paint: bench.paint, usable: bench.usable, shift: bench.shift })")
  )
  await close()
  return {
    bytes,
    scriptBytes,
    requests: [...types.keys()].filter((id) => !cached.has(id)).length,
    paintMs: paint,
    usableMs: usable,
    shift
  }
}
