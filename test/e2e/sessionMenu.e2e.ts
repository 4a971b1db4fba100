import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("the menu of a session's row", () => {
  const console = useConsole()
  const browser = useBrowser()

  // American times are longer than others.
  it.each(["en-GB", "en-US"])("is beside the time of the open session on a phone, and only there (%s)", (locale) =>
    withPage(browser, { size: "phone", locale }, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "a row with a menu")
      await finishedAnswer(page, "You said")
      await page.reload()
      await connected(page)
      await page.locator("[data-open-sessions]").click()
      await page.locator(".session-row.is-current .session-time").waitFor()
      const rows = await page.locator(".session-row").evaluateAll((all) =>
        all.map((row) => {
          const time = row.querySelector(".session-time")?.getBoundingClientRect()
          const menu = row.querySelector(".session-more")
          const shown = menu === null || getComputedStyle(menu).opacity === "0" ? null : menu.getBoundingClientRect()
          // The drawer is still coming in, at fractions of a pixel.
          const end = row.getBoundingClientRect().right + 1
          return {
            isCurrent: row.classList.contains("is-current"),
            hasTime: time !== undefined,
            isBeside: shown !== null && time !== undefined && time.right < shown.left + 1 && shown.right <= end
          }
        })
      )
      assert.isAtLeast(rows.length, 2)
      assert.deepStrictEqual(
        rows.map(({ isBeside }) => isBeside),
        rows.map(({ isCurrent, hasTime }) => isCurrent && hasTime)
      )
      assert.isTrue(rows.some(({ isCurrent }) => isCurrent))
    })
  )
})
