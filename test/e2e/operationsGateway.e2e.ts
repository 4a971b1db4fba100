import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { startConsole } from "./support/startConsole.ts"
import { startGateway } from "./support/startGateway.ts"
import { useBrowser } from "./support/useConsole.ts"

const BROKEN = [/WebSocket|ERR_|Failed to load resource/]

const FOUND = { current: "0.1.0", latest: "999.0.0", updateAvailable: true, checkedAt: 1 }

/** What the server says of a checkout like this, whatever the one is like that the test runs in. */
const installing = (change: { readonly installable: boolean; readonly reason?: string }) => async (page: Page) => {
  await page.route("**/api/version/check", (route) => route.fulfill({ json: { ...FOUND, ...change } }))
}

describe("the gateway's page", () => {
  const browser = useBrowser()

  it("gives the command that approves this console, and shows the approval", async () => {
    const gateway = await startGateway({ deviceApproval: "manual" })
    const console = await startConsole(gateway.env)
    try {
      await withPage(browser, { size: "phone", theme: "dark", expectedErrors: BROKEN }, async (page) => {
        await page.goto(`${console.url}/operations/gateway`)
        await page.locator('[data-gateway="bad"]').waitFor()
        const command = page.locator(".pairing-steps code")
        await command.waitFor()
        assert.match((await command.textContent()) ?? "", /^openclaw devices (approve \S+|list)$/)
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, "operations-approval-dark-phone")
        await gateway.run((control) => control.approveDevices)
        await page.getByRole("button", { name: "Check now" }).click()
        await page.locator('[data-gateway="ok"]').waitFor()
        await command.waitFor({ state: "detached" })
        await page.locator("[data-latency]", { hasText: /\d/ }).waitFor()
      })
    } finally {
      await console.stop()
      await gateway.stop()
    }
  })

  it("shows when the gateway disconnects and returns, and everything catches up by itself", async () => {
    const gateway = await startGateway({ seed: true })
    const console = await startConsole(gateway.env)
    try {
      await withPage(browser, { expectedErrors: BROKEN }, async (page) => {
        await page.goto(`${console.url}/operations/gateway`)
        await page.locator('[data-gateway="ok"]').waitFor()
        await gateway.run((control) => control.stop)
        await page.locator('[data-gateway="busy"], [data-gateway="bad"]').waitFor()
        await page.getByRole("link", { name: "Skills" }).click()
        await page.getByText("Couldn't load the skills").waitFor()
        await keepPicture(page, "operations-gateway-away-desktop")
        await gateway.run((control) => control.start)
        await page.locator('[data-skill="weather"]').waitFor({ timeout: 40_000 })
        await page.getByRole("link", { name: "Gateway" }).click()
        await page.locator('[data-gateway="ok"]').waitFor()
      })
    } finally {
      await console.stop()
      await gateway.stop()
    }
  })

  it("shows a newer version of the console, and how to get it", async () => {
    const releases = createServer((_, response) => response.end(JSON.stringify({ tag_name: "v999.0.0" })))
    releases.listen(0, "127.0.0.1")
    await once(releases, "listening")
    const address = releases.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    const console = await startConsole({ SVC_RELEASES_URL: `http://127.0.0.1:${address.port}/latest` })
    try {
      await withPage(browser, {}, async (page) => {
        await page.goto(`${console.url}/operations/gateway`)
        await page.getByText("Version 999.0.0 is available").waitFor()
      })
      await withPage(browser, { size: "phone", prepare: installing({ installable: true }) }, async (page) => {
        await page.goto(`${console.url}/operations/gateway`)
        await page.getByText("Version 999.0.0 is available.").waitFor()
        await page.getByText("agent-console update").waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.locator(".version").scrollIntoViewIfNeeded()
        await keepPicture(page, "operations-update-light-phone")
      })
      const reason = "the checkout has no git remote"
      await withPage(browser, { prepare: installing({ installable: false, reason }) }, async (page) => {
        await page.goto(`${console.url}/operations/gateway`)
        await page.getByText(`Version 999.0.0 is available, but can't be installed automatically: ${reason}.`).waitFor()
        assert.strictEqual(await page.getByText("agent-console update").count(), 0)
      })
    } finally {
      await console.stop()
      releases.close()
    }
  })

  it("finds skills, draws usage for other spans, and has a table for every chart", async () => {
    const console = await startConsole()
    try {
      await withPage(browser, {}, async (page) => {
        await page.goto(`${console.url}/operations/skills`)
        await connected(page)
        await page.locator('[data-skill="repository"]').getByText("Needs the program gh").waitFor()
        await page.locator("#skill-state").selectOption({ label: "Needs setup (4)" })
        await page.locator('[data-skill="weather"]').waitFor({ state: "detached" })
        await page.getByLabel("Search skills").fill("pdf")
        await page.locator('[data-skill="repository"]').waitFor({ state: "detached" })
        assert.strictEqual(await page.locator(".skill").count(), 1)
        await page.getByLabel("Search skills").fill("no such thing")
        await page.getByText("No skills found").waitFor()

        await page.getByRole("link", { name: "Usage" }).click()
        const bars = page.locator('[data-figure="day-cost"] .plot-bar')
        await bars.nth(29).waitFor()
        await page.getByRole("button", { name: "7 days" }).click()
        await bars.nth(7).waitFor({ state: "detached" })
        assert.strictEqual(await bars.count(), 7)
        await page.getByRole("button", { name: "90 days" }).click()
        await bars.nth(89).waitFor()
        for (const summary of await page.locator(".usage-figure summary").all()) await summary.click()
        const day = page.getByRole("region", { name: "Cost by day, numbers" })
        await day.locator("tbody tr").nth(89).waitFor()
        assert.strictEqual(await day.locator("tbody tr").count(), 90)
        await page.getByRole("region", { name: "Usage by model" }).getByText("demo/scholar").waitFor()
        await page.getByRole("region", { name: "Usage by agent" }).getByText("coder").waitFor()
        const shares = await page.locator('[data-figure="model"] .ranks li').evaluateAll((rows) =>
          rows.map((row) => {
            const track = row.querySelector(".rank-track")?.getBoundingClientRect().width ?? 0
            const bar = row.querySelector(".rank-track > span")?.getBoundingClientRect().width ?? 0
            return { said: Number(/(\d+)%$/.exec(row.textContent ?? "")?.[1]), drawn: (100 * bar) / track }
          })
        )
        assert.isAbove(shares.length, 1)
        for (const { drawn, said } of shares) assert.closeTo(drawn, said, 1.5, "a bar is as long as the share it tells")
        const jobs = page.locator('[data-figure="job"]')
        await jobs.locator(".rank-name", { hasText: "Morning report" }).waitFor()
        const month = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format()
        await page
          .locator(".usage-month", { hasText: `${month} so far` })
          .locator(".usage-big", { hasText: "$" })
          .waitFor()

        const plot = page.locator('[data-figure="day-cost"] .day-plot')
        const tip = plot.getByRole("status")
        await plot.focus()
        await page.keyboard.press("ArrowLeft")
        const today = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", timeZone: "UTC" })
        const dayOfTip = (at: number) => {
          const parts = today.formatToParts(at)
          const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ""
          return tip.filter({ hasText: part("month") }).filter({ hasText: part("day") })
        }
        await dayOfTip(Date.now()).filter({ hasText: "responses" }).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.keyboard.press("Tab")
        await tip.filter({ hasText: "responses" }).waitFor({ state: "detached" })
        const first = await bars.first().boundingBox()
        const around = await plot.boundingBox()
        await plot.hover({ position: { x: (first?.x ?? 0) + 1 - (around?.x ?? 0), y: 60 } })
        await dayOfTip(Date.now() - 89 * 86_400_000).waitFor()

        const arriving = page.waitForEvent("download")
        await page.getByRole("button", { name: "Save as CSV" }).click()
        const saved = await arriving
        assert.match(saved.suggestedFilename(), /^usage-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
        const [head, line] = readFileSync(await saved.path(), "utf8").split("\r\n")
        assert.match(head ?? "", /^\uFEFFDay \(UTC\),Model,Agent,Cost \(USD\)/)
        assert.match(line ?? "", /^\d{4}-\d\d-\d\d,demo\//)
        assert.deepStrictEqual(await accessProblems(page), [])
        // What is not there is said, not drawn.
        await page.locator("[data-limits=unknown]").nth(1).waitFor()
      })
    } finally {
      await console.stop()
    }
  })
})
