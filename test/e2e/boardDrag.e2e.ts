import { assert, beforeEach, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { boardCalls } from "./support/boardCalls.ts"
import { withPage } from "./support/browser.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const cardOf = (page: Page, title: string) =>
  page.locator(".card").filter({ has: page.locator(".card-title", { hasText: title }) })
const inColumn = (page: Page, key: string, title: string) =>
  page.locator(`[data-column="${key}"] .card`).filter({ has: page.locator(".card-title", { hasText: title }) })
const notice = (page: Page, text: string) => page.locator(".notice-text", { hasText: text })

const middleOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} isn't drawn`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

describe("a card that somebody else moves or deletes while it's dragged", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)
  beforeEach(() => board.clear())

  const open = async (page: Page) => {
    await page.goto(`${console.url}/board`)
    await page.locator(".board").waitFor()
  }

  /** Lifts a card with a finger; what it touched goes on getting the finger's events. */
  const lift = async (page: Page, title: string) => {
    const touch = await page.context().newCDPSession(page)
    const send = (type: "touchStart" | "touchMove" | "touchEnd", at?: { readonly x: number; readonly y: number }) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [at] })
    const box = await cardOf(page, title).boundingBox()
    const at = { x: (box?.x ?? 0) + 50, y: (box?.y ?? 0) + 20 }
    await send("touchStart", at)
    await page.locator(".card-ghost").waitFor()
    await send("touchMove", { x: at.x + 5, y: at.y + 10 })
    return { send, at }
  }

  const nothingIsHeld = async (page: Page) => {
    await page.locator(".card-ghost").waitFor({ state: "detached" })
    assert.strictEqual(await page.locator("[data-dragging], [data-drop]").count(), 0)
  }

  it("by a finger: the drag ends, the card stays where it was put, and a sentence says so", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const { id } = await board.create({ title: "Lift me", status: "todo" })
      await board.create({ title: "Another", status: "todo" })
      await open(page)
      await cardOf(page, "Lift me").scrollIntoViewIfNeeded()
      const { at, send } = await lift(page, "Lift me")
      await board.call("POST", `tasks/${id}/reorder`, {
        version: (await board.find(id))?.version,
        targetStatus: "done",
        targetIndex: 0
      })
      await notice(page, "Someone else moved “Lift me” to done. It stays there.").waitFor()
      await nothingIsHeld(page)
      // The finger is still down, and no swipe of it leaves the board.
      for (let x = at.x; x < at.x + 200; x += 40) await send("touchMove", { x, y: at.y })
      await send("touchMove", await middleOf(page, '[data-column="in-progress"]').catch(() => at))
      await send("touchEnd")
      assert.strictEqual(new URL(page.url()).pathname, "/board")
      const first = await cardOf(page, "Another").boundingBox()
      await page.touchscreen.tap((first?.x ?? 0) + 60, (first?.y ?? 0) + (first?.height ?? 0) + 80)
      await page.waitForFunction(() => document.querySelector(".card-ghost") === null)
      assert.strictEqual((await board.find(id))?.status, "done")
      assert.strictEqual(await notice(page, "Someone else").count(), 1)
    }))

  it("by a finger: a deleted one is let go at once", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const { id } = await board.create({ title: "Lift me", status: "backlog" })
      await board.create({ title: "Another", status: "backlog" })
      await open(page)
      const { send } = await lift(page, "Lift me")
      await board.call("DELETE", `tasks/${id}`)
      await notice(page, "Someone else deleted “Lift me”.").waitFor()
      await nothingIsHeld(page)
      await send("touchEnd")
      // The next one is lifted as ever.
      const next = await lift(page, "Another")
      await next.send("touchEnd")
      await nothingIsHeld(page)
    }))

  it("by the mouse: the drop counts, the other move is mentioned, and Undo goes back to it", () =>
    withPage(browser, {}, async (page) => {
      const { id } = await board.create({ title: "Drag me", status: "backlog" })
      await open(page)
      const from = await cardOf(page, "Drag me").boundingBox()
      await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 15)
      await page.mouse.down()
      await page.mouse.move((from?.x ?? 0) + 60, (from?.y ?? 0) + 40, { steps: 4 })
      await board.call("POST", `tasks/${id}/reorder`, {
        version: (await board.find(id))?.version,
        targetStatus: "review",
        targetIndex: 0
      })
      await inColumn(page, "review", "Drag me").waitFor()
      const to = await middleOf(page, '[data-column="todo"] [data-column-list]')
      await page.mouse.move(to.x, to.y, { steps: 6 })
      await page.mouse.up()
      await notice(page, "Moved “Drag me” to todo. Someone else had moved it to review in the meantime.").waitFor()
      await inColumn(page, "todo", "Drag me").waitFor()
      await page.locator(".notice").getByRole("button", { name: "Undo" }).click()
      await inColumn(page, "review", "Drag me").waitFor()
    }))
})

describe("a swipe beyond the page's edge", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("isn't the browser's to go back with", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await page.goto(`${console.url}/board`)
      await page.locator("#main").waitFor()
      const root = await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehavior)
      assert.strictEqual(root, "none")
    }))
})
