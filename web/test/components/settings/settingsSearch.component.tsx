import { assert, describe, it } from "@effect/vitest"
import { settingsEntries } from "../../../src/settings/settingsEntries.ts"
import { openPage } from "../support/openPage.tsx"

describe("the search of the settings", () => {
  it("finds what is on any page and leads to it", async () => {
    const page = await openPage({ address: "/settings/checks" })
    await page.find("#settings-search")
    await page.write("#settings-search", "quiet")
    const found = await page.find(".settings-found a", "Quiet hours")
    assert.strictEqual(found.getAttribute("href"), "/settings/notifications?setting=Quiet+hours")
    await page.write("#settings-search", "midnight")
    const choice = await page.find(".settings-found a", "Colours")
    assert.strictEqual(choice.getAttribute("href"), "/settings/appearance?setting=Colours")
  })

  it("says when nothing is found, and shows the pages again without words", async () => {
    const page = await openPage({ address: "/settings/checks" })
    await page.find("#settings-search")
    await page.write("#settings-search", "qqqzzz")
    await page.find(".settings-found", "No settings found. Try other words.")
    await page.write("#settings-search", "")
    await page.find('.settings-link[href="/settings/voice"]')
  })

  it("knows every page, and no entry twice on a page", () => {
    const entries = settingsEntries()
    const names = entries.map(({ label, section }) => `${section} ${label}`)
    assert.strictEqual(new Set(names).size, names.length)
    assert.lengthOf(
      entries.filter(({ group }) => group === ""),
      10
    )
  })
})
