import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

/** Writes a program line by line, for longer than any test looks. */
const agent: DemoAgent = () => [
  {
    type: "text",
    text: `First [a link](https://example.com/a), then:\n\n\`\`\`ts\n${Array.from({ length: 3_000 }, (_, line) => `const line${line} = ${line}\n`).join("")}\`\`\`\n`
  }
]

const lines = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector(".markdown pre")?.textContent?.split("\n").length ?? 0)

/** Waits until the block of code has this many more lines. */
const grown = async (page: Page, more: number): Promise<void> => {
  const before = await lines(page)
  await page.waitForFunction(
    (wanted) => (document.querySelector(".markdown pre")?.textContent?.split("\n").length ?? 0) >= wanted,
    before + more
  )
}

/** Pulls what is under the middle of an element down with a finger, as somebody who wants to read what was before. */
const pull = async (page: Page, selector: string, distance: number): Promise<void> => {
  const touch = await page.context().newCDPSession(page)
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] })
  const { x, y } = await page.evaluate((name) => {
    const { left, right, top, bottom } = document.querySelector(name)?.getBoundingClientRect() ?? new DOMRect()
    return { x: (left + right) / 2, y: (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2 }
  }, selector)
  await send("touchStart", x, y)
  for (let moved = 5; moved <= distance; moved += 5) {
    await grown(page, 1)
    await send("touchMove", x, y + moved)
  }
  await send("touchEnd")
}

const topOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate((name) => document.querySelector(name)?.scrollTop ?? 0, selector)

/** Fails unless an element stays where it is while the answer grows, once what the finger moved has come to rest. */
const stays = async (page: Page, selector: string): Promise<void> => {
  const settle = async (tries: number): Promise<number> => {
    const before = await topOf(page, selector)
    await grown(page, 5)
    const after = await topOf(page, selector)
    return before === after || tries === 0 ? after : settle(tries - 1)
  }
  const top = await settle(10)
  await grown(page, 20)
  assert.strictEqual(await topOf(page, selector), top)
  const left = await page.evaluate((name) => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = document.querySelector(name) ?? {}
    return scrollHeight - scrollTop - clientHeight
  }, selector)
  assert.isAbove(left, 200)
}

describe("an answer that grows", () => {
  const gateway = useGateway({ agent, tokenMs: 5 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  const board = boardCalls(console)

  const openAnswer = async (page: Page): Promise<void> => {
    await openNewSession(page, console.url)
    await say(page, "go on")
    await page.locator(".markdown pre", { hasText: "line60 " }).waitFor()
  }

  it("stays where a finger has pulled it, also one on what grows", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await openAnswer(page)
      await pull(page, ".markdown pre", 30)
      await page.getByRole("button", { name: "Jump to latest" }).waitFor()
      await stays(page, "#log")
    }))

  it("keeps what is pressed, selected or focused in it", () =>
    withPage(browser, {}, async (page) => {
      await openAnswer(page)
      await page.locator("#log").press("PageUp")
      await page.evaluate(() => document.querySelector("#log")?.scrollTo({ top: 0 }))
      const copy = page.getByRole("button", { name: "Copy", exact: true })
      await copy.hover()
      await page.mouse.down()
      await grown(page, 10)
      await page.mouse.up()
      await page.getByRole("button", { name: "Copied" }).waitFor()
      await page.getByRole("button", { name: "Wrap" }).click()
      await page.locator(".markdown pre").focus()
      await page.evaluate(() => {
        const text = document.querySelector(".markdown pre code")?.firstChild
        if (text != null) getSelection()?.setBaseAndExtent(text, 6, text, 11)
      })
      const link = await page.locator(".markdown a").elementHandle()
      await grown(page, 20)
      assert.strictEqual(await page.getByRole("button", { name: "Wrap" }).getAttribute("aria-pressed"), "true")
      assert.strictEqual(await page.evaluate(() => String(getSelection())), "line0")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "PRE")
      assert.isTrue(await link?.evaluate((node) => node.isConnected))
    }))

  it("stays in a card, too, where a finger has pulled it", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const card = await board.create({ title: "go on" })
      await page.goto(`${console.url}/board/${card.id}`)
      await connected(page)
      await page.getByRole("button", { name: "Run with an agent" }).click()
      await page.locator(".run-text pre", { hasText: "line60 " }).waitFor()
      await page.locator(".run-text").scrollIntoViewIfNeeded()
      await pull(page, ".run-text", 30)
      await stays(page, ".run-text")
    }))
})
