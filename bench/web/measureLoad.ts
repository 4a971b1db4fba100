import { Schema } from "effect"
import type { Desk } from "./startDesk.ts"

const Seen = Schema.Struct({ paint: Schema.Finite, usable: Schema.Finite, shift: Schema.Finite })
const decodeSeen = Schema.decodeUnknownSync(Seen)

/** The cost of one visit to the first screen; times in milliseconds since navigation started. */
export interface Load {
  readonly bytes: number
  readonly scriptBytes: number
  /** Of these, what had arrived when the composer could be typed in. */
  readonly neededBytes: number
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
  /** Each script's end, in seconds on the browser's clock, and its bytes with their headers. */
  const scripts: Array<{ readonly at: number; readonly bytes: number }> = []
  let began: number | undefined
  await cdp.send("Network.enable")
  cdp.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId))
  cdp.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type))
  cdp.on("Network.requestWillBeSent", ({ timestamp }) => {
    began ??= timestamp
  })
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    bytes += encodedDataLength
    if (types.get(requestId) === "Script") scripts.push({ at: timestamp, bytes: encodedDataLength })
  })
  await page.goto(desk.url)
  await page.locator("html[data-usable]").waitFor({ state: "attached" })
  await page.waitForTimeout(SETTLE_MS)
  const { paint, usable, shift } = decodeSeen(
    await page.evaluate("({ paint: bench.paint, usable: bench.usable, shift: bench.shift })")
  )
  await close()
  const sum = (some: typeof scripts) => some.reduce((total, script) => total + script.bytes, 0)
  const usableAt = (began ?? Number.NaN) + usable / 1000
  return {
    bytes,
    scriptBytes: sum(scripts),
    neededBytes: sum(scripts.filter(({ at }) => at <= usableAt)),
    requests: [...types.keys()].filter((id) => !cached.has(id)).length,
    paintMs: paint,
    usableMs: usable,
    shift
  }
}
