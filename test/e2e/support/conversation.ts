import type { Locator, Page } from "playwright-core"

/** Waits until the connection to the gateway works. */
export const connected = (page: Page): Promise<void> =>
  page.locator('[data-connection="ready"]').waitFor({ state: "attached" })

/** Opens the console and a new session of its own, so that tests do not meet each other's messages. */
export const openNewSession = async (page: Page, url: string): Promise<string> => {
  await page.goto(url)
  await connected(page)
  await page.locator("#composer").waitFor()
  const menu = page.locator("[data-open-sessions]")
  if (await menu.isVisible()) await menu.click()
  await page.locator(".sessions-head").getByRole("button", { name: "New session" }).click()
  await page.waitForURL((now) => now.pathname.includes(":dashboard:"))
  await page.getByRole("heading", { level: 2, name: /^What should/ }).waitFor()
  if (await menu.isVisible()) await page.locator(".sidebar").waitFor({ state: "hidden" })
  return decodeURIComponent(new URL(page.url()).pathname.slice("/chat/".length))
}

/** Goes to a screen by its name: by its tile, or on a phone from the menu if it has no tab. */
export const toScreen = async (page: Page, name: string): Promise<void> => {
  const link = page.locator(".navigation").getByRole("link", { name })
  if (await link.isVisible()) return link.click()
  await page.locator(".rail-more button").first().click()
  await page.getByRole("menuitem", { name }).click()
}

/** Writes a message and sends it with Enter, once no dialog is in the way. */
export const say = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction(() => document.querySelector("dialog[open]") === null)
  await page.locator("#composer").fill(text)
  await page.locator("#composer").press("Enter")
  await page.locator(".message.is-user", { hasText: text }).last().waitFor()
}

/** Waits for the end of the turn and returns the last response. */
export const finishedAnswer = async (page: Page, text: string | RegExp): Promise<Locator> => {
  const answer = page.locator(".message.is-assistant", { hasText: text }).last()
  await answer.waitFor()
  await idle(page)
  return answer
}

/** Waits until no turn runs. */
export const idle = (page: Page): Promise<void> =>
  page.locator('#log[aria-busy="false"]').waitFor({ state: "attached", timeout: 40_000 })
