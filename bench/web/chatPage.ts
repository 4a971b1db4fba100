import type { Page } from "playwright-core"

/** Opens the console and waits until a message can be sent. */
export const openChat = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.locator('[data-connection="ready"]').waitFor({ state: "attached" })
  await page.locator("#composer").waitFor()
}

/** Sends a message and waits for the end of its turn. */
export const converse = async (page: Page, text: string): Promise<void> => {
  await page.locator("#composer").fill(text)
  await page.locator("#composer").press("Enter")
  await page.locator(".message.is-user", { hasText: text }).last().waitFor()
  await page.locator('#log[aria-busy="false"]').waitFor({ state: "attached" })
}
