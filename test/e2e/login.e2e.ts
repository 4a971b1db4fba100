import { randomBytes, scryptSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const PASSWORD = "correct horse battery staple"

const passwordHash = () => {
  const salt = randomBytes(32)
  return `${salt.toString("hex")}:${scryptSync(PASSWORD, salt, 64).toString("hex")}`
}

const signIn = async (page: Page, password: string) => {
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** The browser itself reports answers such as 401 on its console. */
const expectedErrors = [/status of (401|429)/, /WebSocket connection/]

describe("with a password", () => {
  const console = useConsole({ SVC_AUTH: "true", SVC_PASSWORD_HASH: passwordHash() })
  const browser = useBrowser()

  it("signs in with the right password only, comes back to the address asked for, and signs out", () =>
    withPage(browser, { expectedErrors }, async (page) => {
      await page.goto(`${console.url}/chat/agent:main:main`)
      await page.getByRole("heading", { name: "Agent Console" }).waitFor()
      await keepPicture(page, "login-desktop")
      await signIn(page, "wrong")
      await page.locator("#login-problem", { hasText: /password/i }).waitFor()
      await page.getByRole("button", { name: "Show password" }).click()
      await page.locator('#password[type="text"]').waitFor()
      await signIn(page, PASSWORD)
      await connected(page)
      assert.strictEqual(new URL(page.url()).pathname, "/chat/agent:main:main")
      await page.reload()
      await connected(page)
      await page.getByRole("button", { name: "More", exact: true }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "Agent Console" }).waitFor()
      await page.reload()
      await page.locator("#password").waitFor()
    }))

  it("a sign-out in another tab leads to the login at once, and back to the same conversation", () =>
    withPage(browser, { size: "phone", expectedErrors }, async (page) => {
      await page.goto(console.url)
      await page.locator("#password").waitFor()
      await keepPicture(page, "login-phone")
      await signIn(page, PASSWORD)
      await connected(page)
      const path = new URL(page.url()).pathname
      await page.locator("#composer").fill("do not lose me")
      const elsewhere = await page.context().newPage()
      await elsewhere.goto(console.url)
      await connected(elsewhere)
      await elsewhere.evaluate(() => fetch("/api/auth/logout", { method: "POST" }))
      await elsewhere.close()
      await page.locator("#password").waitFor()
      await keepPicture(page, "signed-out-elsewhere")
      await signIn(page, PASSWORD)
      await connected(page)
      assert.strictEqual(new URL(page.url()).pathname, path)
      assert.strictEqual(await page.locator("#composer").inputValue(), "do not lose me")
    }))

  it("says how long to wait after too many wrong passwords", () =>
    withPage(browser, { expectedErrors }, async (page) => {
      await page.goto(console.url)
      for (let attempt = 0; attempt < 6; attempt++) {
        const answered = page.waitForResponse((response) => response.url().endsWith("/api/auth/login"))
        await signIn(page, `wrong ${attempt}`)
        if ((await answered).status() === 429) break
      }
      await page.locator("#login-problem", { hasText: /\d+ s/ }).waitFor()
    }))
})
