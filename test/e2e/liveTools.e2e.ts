import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { PAGE_BRAIN } from "../../scripts/version.ts"
import { withPage } from "./support/browser.ts"
import { finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

let release = () => {}
let hasBegun = () => {}
const begun = new Promise<void>((resolve) => {
  hasBegun = resolve
})

/** Lists files, then works until the test lets go of it. */
const agent: DemoAgent = () => [
  { type: "tool", name: "exec", args: { command: "ls drafts" }, meta: "files", result: "seven.md", runMs: 0 },
  {
    type: "tool",
    name: "write",
    args: { path: "drafts/eight.md" },
    meta: "work",
    result: "done",
    runMs: 0,
    work: Effect.callback<string>((resume) => {
      release = () => resume(Effect.succeed("written"))
      hasBegun()
    })
  },
  { type: "text", text: "Eight drafts now." }
]

const wrote = '[data-tool="write"]'
const listed = '[data-tool="exec"]'

/** Waits for what the card of a tool has in it, also while it's closed. */
const has = (page: Page, tool: string, text: string): Promise<void> =>
  page.locator(`${tool} pre`, { hasText: text }).waitFor({ state: "attached" })

const known = async (page: Page): Promise<void> => {
  await has(page, wrote, "drafts/eight.md")
  await has(page, listed, "ls drafts")
  await has(page, listed, "seven.md")
}

// Newer gateways tell of a tool's arguments and output only to the connection that sent the message, which is the
// console's: a page that hears of a response from the gateway has them once it has read the history.
describe("tools of a response to a message that the console sent", () => {
  const gateway = useGateway({ generation: "new", agent })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it(`show their arguments and output ${PAGE_BRAIN === "live" ? "while it runs" : "afterwards"}`, () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "Write another draft")
      await begun
      if (PAGE_BRAIN === "live") {
        await page.locator(`${wrote}.is-running`).waitFor()
        await known(page)
      }
      release()
      await finishedAnswer(page, "Eight drafts now.")
      await known(page)
      await has(page, wrote, "written")
    }))
})
