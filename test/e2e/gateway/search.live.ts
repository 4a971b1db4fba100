import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { withPage } from "../support/browser.ts"
import { connected, idle, openNewSession, say } from "../support/conversation.ts"
import { findable } from "../support/findable.ts"
import { useBrowser } from "../support/useConsole.ts"

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the search of everything with gateway ${gateway.version}`, () => {
    const browser = useBrowser()
    const start = startConsole({
      GATEWAY_URL: gateway.url,
      GATEWAY_TOKEN: gateway.token,
      GATEWAY_HOME: gateway.gatewayHome
    })

    it.live("finds what the agent wrote, and opens the conversation there", () =>
      Effect.gen(function* () {
        const { url } = yield* start
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            const sessionKey = await openNewSession(page, url)
            await say(page, "Where does it hang? [[mock:text=The zephyrine lantern hangs at the quay]]")
            await page.locator(".message.is-assistant", { hasText: "zephyrine lantern" }).waitFor({ timeout: 60_000 })
            await idle(page)
            await findable({ url }, "zephyrine lantern quay")
            await page.goto(`${url}/search`)
            await connected(page)
            await page.getByRole("searchbox", { name: "Search everything" }).fill("from:agent zephyrine quay")
            const hit = page.locator("a[data-hit]", { hasText: "lantern hangs at the quay" }).first()
            await hit.waitFor()
            await page.keyboard.press("ArrowDown")
            await page.keyboard.press("Enter")
            await page.waitForURL(({ pathname }) => decodeURIComponent(pathname) === `/chat/${sessionKey}`)
            const found = page.locator('#log [data-found][data-kind="assistant"]')
            await found.waitFor()
            assert.include(await found.textContent(), "The zephyrine lantern hangs at the quay")
            await page.waitForFunction(() => (CSS.highlights.get("found")?.size ?? 0) === 2)
          })
        )
      })
    )
  })
}
