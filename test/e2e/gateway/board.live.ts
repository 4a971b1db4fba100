import { inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected } from "../support/conversation.ts"
import { useBrowser } from "../support/useConsole.ts"

/** The scripted response of the gateway's model: slow enough to watch, with a proposal at its end. */
const ANSWER = "one two three four five six\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |"
const PROPOSAL = `[kanban:create]{"title":"Count further"}[/kanban:create]`
const ORDERS = `[[mock:text=${ANSWER}\\n\\n${PROPOSAL} Done.]] [[mock:chunks=12]] [[mock:delay=800]]`

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the board in a browser in front of gateway ${gateway.version}`, () => {
    const browser = useBrowser()

    it.live("a card is made, run, watched and approved, and what its agent proposes is accepted", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            await page.goto(`${url}/board?panel=new`)
            await connected(page)
            await page.locator("#task-title").fill("Count for me")
            await page.locator("#task-description").fill(ORDERS)
            await page.getByRole("button", { name: "Add card" }).click()
            const card = page.locator(".card", { hasText: "Count for me" })
            await card.locator(".card-title").click()
            const panel = page.locator(".side-panel")
            await panel.getByRole("button", { name: "Run with an agent" }).click()
            await panel.locator(".run-text", { hasText: "one two" }).waitFor({ timeout: 60_000 })
            await panel.locator(".task-result table tbody td").first().waitFor({ timeout: 60_000 })
            await keepPicture(page, `board-gateway-${gateway.version}`)
            await panel.getByRole("button", { name: "Approve", exact: true }).click()
            await page.locator('[data-column="done"] .card', { hasText: "Count for me" }).waitFor()
            await page.getByRole("link", { name: "Proposals" }).click()
            await panel.locator(".proposal").getByRole("button", { name: "Approve" }).click()
            await page.locator('[data-column="todo"] .card', { hasText: "Count further" }).waitFor()
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}
