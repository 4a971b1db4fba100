import { assert, beforeAll, describe, it } from "@effect/vitest"
import { withPage } from "./support/browser.ts"
import { type BuiltPage, buildPage, openPage } from "./support/servePage.ts"
import { useBrowser } from "./support/useConsole.ts"

/** Random trees and the changes of each; `FUZZ_TREES` and `FUZZ_STEPS` make a long run of it. */
const TREES = Number(process.env.FUZZ_TREES ?? 4)
const STEPS = Number(process.env.FUZZ_STEPS ?? 75)
const LONGEST_MS = 1_800_000

describe("rendering", () => {
  const browser = useBrowser()
  let files: BuiltPage

  beforeAll(async () => {
    files = await buildPage("fuzzPage.tsx")
  })

  it(
    "draws random trees as a function without a framework does, after every change",
    () =>
      withPage(browser, {}, async (page) => {
        await openPage(page, files)
        await page.waitForFunction("typeof fuzz === 'function'")
        for (let seed = 1; seed <= TREES; seed++) assert.isNull(await page.evaluate(`fuzz(${seed}, ${STEPS})`))
      }),
    LONGEST_MS
  )
})
