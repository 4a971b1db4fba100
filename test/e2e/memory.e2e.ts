import { assert, describe, it } from "@effect/vitest"
import type { CDPSession, Page } from "playwright-core"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { withPage } from "./support/browser.ts"
import { connected, idle, say } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const ANSWERS = 12
/** Nodes of closed sections and fields that belong to the browser and aren't in the document: about 20 of a tool call. */
const BROWSERS_OWN = 30
/** What a screen may differ by from one visit to the next, such as a time or a note. */
const SPARE = 250

const agent: DemoAgent = () => [
  { type: "tool", name: "exec", args: { command: "ls" }, meta: "list", result: "a\nb", runMs: 5 },
  {
    type: "text",
    text: "## A chapter\n\n- one\n- two\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1\n```\n",
    tokenMs: 1
  }
]

/** The browser's count of the page's nodes after a full collection, and how many of them are in the document. */
const nodes = async (page: Page, browser: CDPSession) => {
  await browser.send("HeapProfiler.collectGarbage")
  await browser.send("HeapProfiler.collectGarbage")
  const { nodes: held } = await browser.send("Memory.getDOMCounters")
  const shown = await page.evaluate(() => {
    const walk = document.createNodeIterator(document)
    let count = 0
    while (walk.nextNode() !== null) count++
    return count
  })
  return { held, removed: held - shown }
}

describe("the memory of a page that stays open", () => {
  const gateway = useGateway({ agent })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it(`${ANSWERS} answers leave no removed nodes behind, nor does the conversation when it's left`, () =>
    withPage(browser, {}, async (page) => {
      const counter = await page.context().newCDPSession(page)
      /** Follows a link of the page's own, without loading it again. */
      const go = async (path: string, shown: string) => {
        await page.evaluate((href) => {
          const link = Object.assign(document.createElement("a"), { href })
          document.body.append(link)
          link.click()
          link.remove()
        }, path)
        await page.locator(shown).first().waitFor()
      }
      await page.goto(console.url)
      await connected(page)
      await say(page, "the first")
      await idle(page)
      const before = await nodes(page, counter)
      for (let index = 1; index <= ANSWERS; index++) {
        await say(page, `message ${index} of many`)
        await idle(page)
      }
      const after = await nodes(page, counter)
      assert.isAtMost(after.removed - before.removed, ANSWERS * BROWSERS_OWN)

      await go("/settings", 'input[name="theme"]')
      const first = await nodes(page, counter)
      assert.isAtMost(first.removed, before.removed + SPARE)
      await go("/chat", ".message.is-assistant")
      await go("/settings", 'input[name="theme"]')
      const second = await nodes(page, counter)
      assert.isAtMost(second.held, first.held + SPARE)
    }))
})
