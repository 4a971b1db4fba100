import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, SIZES, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "../support/conversation.ts"
import { useBrowser } from "../support/useConsole.ts"

const MAIN = "agent:main:main"
const WORDS = "Lisbon in May"

const rowOf = (page: Page, key: string) => page.locator(`a[data-session="${key}"]`)
const keysShown = (page: Page) =>
  page.locator("a[data-session]").evaluateAll((all) => all.map((link) => link.getAttribute("data-session")))

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the list of sessions in front of gateway ${gateway.version}`, () => {
    const browser = useBrowser()

    it.live("names a session in list, head and tab, forgets a stopped run, and finds the main conversation", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            const key = await openNewSession(page, url)
            await say(page, WORDS)
            await finishedAnswer(page, WORDS)
            await rowOf(page, key).locator(".session-title", { hasText: WORDS }).waitFor()
            await page.getByRole("heading", { level: 1, name: WORDS }).waitFor()
            await page.waitForFunction((words) => document.title.includes(words), WORDS)

            await say(page, "[[mock:text=never finished]] [[mock:hang]]")
            await page.locator(`a[data-session="${key}"].is-working`).waitFor()
            await page.getByRole("button", { name: "Stop response" }).click()
            await idle(page)
            for (let index = 0; index < 6; index++) await openNewSession(page, url)

            await withPage(browser, {}, async (fresh) => {
              await fresh.goto(`${url}/chat/${MAIN}`)
              await connected(fresh)
              await rowOf(fresh, key).locator(".session-title", { hasText: WORDS }).waitFor()
              assert.strictEqual(await fresh.locator(`a[data-session="${key}"].is-working`).count(), 0)
              assert.strictEqual((await keysShown(fresh))[0], MAIN)
              await keepPicture(fresh, `gateway-sessions-${gateway.version}-desktop`)
              await fresh.setViewportSize(SIZES.phone)
              await fresh.locator("[data-open-sessions]").click()
              await fresh.locator(".shell.is-drawer-open").waitFor()
              await fresh.getByLabel("Filter sessions").fill("main")
              await rowOf(fresh, key).waitFor({ state: "detached" })
              assert.deepStrictEqual(await keysShown(fresh), [MAIN])
              await keepPicture(fresh, `gateway-sessions-${gateway.version}-phone`)
            })
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}
