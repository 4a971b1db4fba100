import { describe, it } from "@effect/vitest"
import { boardCalls } from "./support/boardCalls.ts"
import { withPage } from "./support/browser.ts"
import { finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("a card that an agent proposes in a conversation", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)

  it("waits in the inbox, where its chip leads", { timeout: 90_000 }, () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "Anything for my task board?")
      const answer = await finishedAnswer(page, "Here is a suggestion for your board.")
      await answer.getByRole("link", { name: /Proposed card\s*Try the task board/ }).click()
      await page.waitForURL((url) => url.pathname === "/inbox" && url.searchParams.get("kind") === "proposal")
      await page.locator("[data-inbox-item]", { hasText: "Try the task board" }).waitFor()
    })
  )

  it("is waiting, then approved or rejected, on its chip, at once and after a reload", { timeout: 90_000 }, () =>
    withPage(browser, {}, async (page) => {
      for (const decide of ["approve", "reject"] as const) {
        const key = await openNewSession(page, console.url)
        await say(page, "Anything for my task board?")
        await finishedAnswer(page, "Here is a suggestion for your board.")
        const chip = page.locator(".proposals a.chip")
        await chip.getByText("Waiting for you").waitFor()
        const { proposals } = await board.call("GET", "proposals")
        const { id } = proposals.find((one: { readonly sourceSessionKey?: string }) => one.sourceSessionKey === key)
        await board.call("POST", `proposals/${id}/${decide}`, {})
        const word = decide === "approve" ? "Approved" : "Rejected"
        await chip.getByText(word).waitFor()
        await page.reload()
        await chip.getByText(word).waitFor()
        if (decide === "reject") continue
        await page.locator(".proposals a.chip[href^='/board/']").click()
        await page.locator("#side-panel-title").waitFor()
        await page.locator(".side-panel, aside", { hasText: "Try the task board" }).first().waitFor()
      }
    })
  )
})
