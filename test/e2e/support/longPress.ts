import type { Locator, Page } from "playwright-core"

/** Longer than the threshold of a long press. */
const LONG_MS = 900

/** Presses the beginning of a row for a long time. */
export const longPress = async (page: Page, row: Locator): Promise<void> => {
  const box = await row.boundingBox()
  const touchPoints = [{ x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 20 }]
  const session = await page.context().newCDPSession(page)
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints })
  await page.waitForTimeout(LONG_MS)
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
}
