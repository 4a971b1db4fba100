import { Schema } from "effect"
import { Motion } from "./figures.ts"
import type { Desk } from "./startDesk.ts"

const decodeMotion = Schema.decodeUnknownSync(Motion)
const Drawn = Schema.Struct({ cardsMs: Schema.Finite, longTasks: Schema.Array(Schema.Finite), elements: Schema.Finite })
const decodeDrawn = Schema.decodeUnknownSync(Drawn)

/** Notes when the first card is drawn. */
const WATCH_CARDS = `
  const lookForCards = () => {
    if (document.querySelector("[data-task]") === null) return requestAnimationFrame(lookForCards)
    bench.cards = performance.now()
  }
  requestAnimationFrame(lookForCards)
`
const SETTLE_MS = 2_000
const WHEELS = 120

/**
 * Opens the board with an empty cache: when the first cards are drawn, what blocks meanwhile, the processor time of the
 * page's thread, which a busy machine doesn't lengthen, and what is on the page.
 */
export const measureBoard = async (desk: Desk): Promise<typeof Drawn.Type & { readonly cpuMs: number }> => {
  const { page, cdp, close } = await desk.open()
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" })
  await page.addInitScript(WATCH_CARDS)
  await page.goto(`${desk.url}/board`)
  await page.locator("[data-task]").first().waitFor()
  await page.waitForTimeout(SETTLE_MS)
  const { metrics } = await cdp.send("Performance.getMetrics")
  const drawn = decodeDrawn(
    await page.evaluate(
      '({ cardsMs: bench.cards, longTasks: bench.longTasks, elements: document.querySelectorAll("*").length })'
    )
  )
  await close()
  const cpuMs = (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000
  return { ...drawn, cpuMs }
}

/** Frames while a column is scrolled down with the wheel. */
export const measureColumn = async (desk: Desk): Promise<typeof Motion.Type> => {
  const { page, close } = await desk.open()
  await page.goto(`${desk.url}/board`)
  await page.locator("[data-task]").first().hover()
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate("bench.begin()")
  for (let step = 0; step < WHEELS; step++) {
    await page.mouse.wheel(0, 200)
    await page.evaluate("new Promise(requestAnimationFrame)")
  }
  const motion = decodeMotion(await page.evaluate("bench.end()"))
  await close()
  return motion
}
