import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { launchBrowser, withPage } from "./support/browser.ts"
import { type BuiltPage, buildPage, openPage } from "./support/servePage.ts"

/** Random trees and the changes of each; `FUZZ_TREES` and `FUZZ_STEPS` make a long run of it. */
const TREES = Number(process.env.FUZZ_TREES ?? 4)
const STEPS = Number(process.env.FUZZ_STEPS ?? 75)
const LONGEST_MS = 1_800_000

describe("rendering", () => {
  let browser: Browser
  let files: BuiltPage

  beforeAll(async () => {
    files = await buildPage("fuzzPage.tsx")
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

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
