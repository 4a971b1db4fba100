import { request } from "node:http"
import { Schema } from "effect"
import { openChat } from "./chatPage.ts"
import { Motion } from "./figures.ts"
import type { Desk } from "./startDesk.ts"

const decodeMotion = Schema.decodeUnknownSync(Motion)
const decodeShift = Schema.decodeUnknownSync(Schema.Finite)

const AT_ONCE = 8
const COLUMNS = ["todo", "backlog", "in-progress", "review", "done"]
const DRAG_STEPS = 180

/** Frames while an answer streams in, with the machine slowed down `slower` times, and layout shifts. */
export const measureStreaming = async (desk: Desk, slower: number) => {
  const { page, cdp, close } = await desk.open()
  await openChat(page, desk.url)
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slower })
  await page.locator("#composer").fill("stream")
  await page.locator("#composer").press("Enter")
  await page.locator(".message.is-assistant .markdown").last().waitFor()
  const before = decodeShift(await page.evaluate("bench.shift"))
  await page.evaluate("bench.begin()")
  await page.locator('#log[aria-busy="false"]').waitFor({ state: "attached" })
  const motion = decodeMotion(await page.evaluate("bench.end()"))
  const shift = decodeShift(await page.evaluate("bench.shift")) - before
  await close()
  return { motion, shift }
}

/** Creates a card, each from a different address, so that the rate limit isn't what's measured. */
const createCard = (url: string, index: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": `10.9.${index >> 8}.${index & 255}` }
    const call = request(`${url}/api/kanban/tasks`, { method: "POST", headers }, (response) => {
      response.resume()
      if (response.statusCode === 201) response.on("end", resolve)
      else reject(new Error(`creating a card returned ${response.statusCode}`))
    })
    call.on("error", reject)
    call.end(
      JSON.stringify({
        title: `Card ${index}`,
        status: COLUMNS[index % COLUMNS.length],
        labels: ["light"],
        estimateMin: 30
      })
    )
  })

/** Puts many cards on the board. */
export const fillBoard = async (url: string, cards: number): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < cards) await createCard(url, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Frames while a card is dragged back and forth on a board of a thousand; null if this build has no board. */
export const measureDragging = async (desk: Desk) => {
  const { page, close } = await desk.open()
  const began = performance.now()
  await page.goto(`${desk.url}/board`)
  await page.locator('[data-connection="ready"]').waitFor({ state: "attached" })
  const cards = page.locator('[draggable="true"], [data-task]')
  const found = await cards
    .nth(20)
    .waitFor({ timeout: 20_000 })
    .then(
      () => true,
      () => false
    )
  if (!found) {
    await close()
    return null
  }
  const drawnMs = performance.now() - began
  const box = await cards.nth(1).boundingBox()
  if (box === null) throw new Error("the card is not on the screen")
  await page.mouse.move(box.x + box.width / 2, box.y + 10)
  await page.mouse.down()
  await page.evaluate("bench.begin()")
  for (let step = 0; step <= DRAG_STEPS; step++) {
    const turn = (step / DRAG_STEPS) * 4 * Math.PI
    await page.mouse.move(720 + Math.sin(turn) * 420, 450 + Math.sin(turn * 2) * 200)
  }
  const motion = decodeMotion(await page.evaluate("bench.end()"))
  await page.mouse.up()
  const count = await cards.count()
  await close()
  return { drawnMs, count, motion }
}
