import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { gatewayHistory } from "./gatewayHistory.ts"

const PATIENCE_MS = 8_000
const PAUSE_MS = 50

/** Removes Markdown syntax and white space, so that rendered and stored texts can be compared. */
const bare = (text: string) => text.replace(/[*_`#>\s]/g, "")

const onScreen = async (page: Page): Promise<ReadonlyArray<string>> => {
  const said = page.locator(".message.is-user:not(.is-failed) .bubble, .message.is-assistant .markdown")
  return (await said.allTextContents()).map(bare)
}

/**
 * Waits until the screen equals the gateway's history, message by message; only messages marked as not delivered may
 * differ.
 */
export const assertEqualsHistory = async (page: Page, url: string, sessionKey: string) => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const stored = (await gatewayHistory(url, sessionKey)).map(({ text }) => bare(text))
    const shown = await onScreen(page)
    if (shown.join("\n") === stored.join("\n")) return
    if (Date.now() > until) assert.deepStrictEqual(shown, stored)
    await page.waitForTimeout(PAUSE_MS)
  }
}
