import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { fieldsOf, recordsOf, textOf } from "../../web/src/core/decode.ts"
import { XSS_CORPUS } from "../../web/test/core/support/xssCorpus.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { type Size, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { gatewayCall, gatewayCalls } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const job = (name: string, fields: object = {}) => ({
  name,
  schedule: { kind: "every", everyMs: 3_600_000 },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "Report" },
  delivery: { mode: "none" },
  ...fields
})

describe("scheduled jobs", () => {
  const gateway = useGateway({ tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  const row = (page: Page, name: string) => page.locator(".job", { hasText: name })
  const jobs = async () =>
    recordsOf(fieldsOf(await gatewayCall(console.url, "cron.list", { includeDisabled: true })).jobs)
  const find = async (name: string) => fieldsOf((await jobs()).find((candidate) => candidate.name === name))
  const open = async (page: Page) => {
    await page.goto(`${console.url}/operations/crons`)
    await connected(page)
  }
  const menu = async (page: Page, name: string, item: string) => {
    await page.getByRole("button", { name: `More for ${name}` }).click()
    await page.getByRole("menuitem", { name: item }).click()
  }

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes)
    it(`are made, run, changed, switched and deleted on a ${size}`, () =>
      withPage(browser, { size, expectedErrors: [/Failed to load resource/] }, async (page) => {
        const name = `Tea on a ${size}`
        await open(page)
        await page.getByRole("button", { name: "New job" }).click()
        const dialog = page.getByRole("dialog", { name: "New job" })
        await dialog.getByRole("button", { name: "Schedule it" }).click()
        await dialog.getByText("Give the job a name.").waitFor()
        await page.waitForFunction(() => document.activeElement?.id === "job-name")
        await dialog.getByLabel("Name").fill(name)
        await dialog.getByLabel("What the agent is to do").fill("Say that it is time for tea.")
        await dialog.getByLabel("Repeat").selectOption("On days of the week")
        await dialog.getByText("Sat", { exact: true }).click()
        await dialog.getByLabel("Time", { exact: true }).fill("16:30")
        await dialog.getByLabel("Time zone").selectOption("Europe/London")
        await dialog.getByText("On Mondays, Tuesdays, Wednesdays, Thursdays, Fridays and Saturdays at 16:30").waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await dialog.getByRole("button", { name: "Schedule it" }).click()
        await dialog.waitFor({ state: "detached" })
        await row(page, name).getByText("Europe/London").waitFor()
        assert.deepStrictEqual((await find(name)).schedule, {
          kind: "cron",
          expr: "30 16 * * 1,2,3,4,5,6",
          tz: "Europe/London"
        })

        await row(page, name).getByRole("button", { name: "Run now" }).click()
        await page.getByText(`${name} has run.`).waitFor()
        await row(page, name).locator(".job-name").click()
        await row(page, name).locator(".run").getByText("Nothing urgent").waitFor()
        assert.include(new URL(page.url()).pathname, textOf((await find(name)).id) ?? "no id")

        await menu(page, name, "Edit…")
        const edit = page.getByRole("dialog", { name: "Edit the job" })
        await edit.getByLabel("Repeat").selectOption("By cron text")
        assert.strictEqual(await edit.getByLabel("Cron text").inputValue(), "30 16 * * 1,2,3,4,5,6")
        await edit.getByLabel("Cron text").fill("0 25 * * *")
        await edit.getByText("“25” is no hour: use 0 to 23.").first().waitFor()
        await edit.getByRole("button", { name: "Save" }).click()
        await page.waitForFunction(() => document.activeElement?.id === "job-cron")
        await edit.getByLabel("Cron text").fill("*/20 9-17 * * 1-5")
        await edit.getByRole("button", { name: "Save" }).click()
        await edit.waitFor({ state: "detached" })
        await row(page, name).getByText("Every 20 minutes from 09:00 to 17:40, on weekdays").waitFor()

        const toggle = row(page, name).getByRole("switch")
        await toggle.click()
        await row(page, name).getByText("Off", { exact: true }).waitFor()
        assert.isFalse((await find(name)).enabled)
        await toggle.click()
        await row(page, name).getByText("Off", { exact: true }).waitFor({ state: "detached" })

        await menu(page, name, "Delete")
        await row(page, name).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await row(page, name).waitFor()
        await menu(page, name, "Delete")
        await row(page, name).waitFor({ state: "detached" })
        const notice = page.locator(".notice", { hasText: `${name} is deleted.` })
        await notice.getByRole("button", { name: "Dismiss this message" }).click()
        while ((await find(name)).name !== undefined) await page.waitForTimeout(50)
        await row(page, name).waitFor({ state: "detached" })
      }))

  it("follow what others do, a run while it lasts, and survive a gateway that forgets", () =>
    withPage(browser, { expectedErrors: [/WebSocket|ERR_|Failed to load resource/] }, async (page) => {
      await open(page)
      await page.getByText("No job is scheduled").waitFor()
      const added = fieldsOf(await gatewayCall(console.url, "cron.add", job("Made elsewhere")))
      await row(page, "Made elsewhere").getByText("Every hour").waitFor()
      await gatewayCall(console.url, "cron.run", { id: added.id, mode: "force" })
      await row(page, "Made elsewhere").getByText("Ran now").waitFor()
      await gatewayCall(console.url, "cron.update", { id: added.id, patch: { name: "Renamed elsewhere" } })
      await row(page, "Renamed elsewhere").waitFor()
      await gateway.forget()
      await page.getByText("No job is scheduled").waitFor({ timeout: 30_000 })
    }))

  it("keep what was typed when saving fails, when somebody else changes them, and until it is given up", () =>
    withPage(browser, { expectedErrors: [/Failed to load resource/] }, async (page) => {
      const added = fieldsOf(await gatewayCall(console.url, "cron.add", job("Contested")))
      await open(page)
      await menu(page, "Contested", "Edit…")
      const dialog = page.getByRole("dialog", { name: "Edit the job" })
      await dialog.getByLabel("What the agent is to do").fill("What I typed")
      await gatewayCall(console.url, "cron.update", { id: added.id, patch: { name: "Their name" } })
      await dialog.getByText("Name: Their name").waitFor()
      await page.route("**/api/crons/*", (route) =>
        route.fulfill({ status: 502, json: { error: "gateway_failure", details: "The gateway is away." } })
      )
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.getByText("It was not saved: The gateway is away.").waitFor()
      assert.strictEqual(await dialog.getByLabel("What the agent is to do").inputValue(), "What I typed")
      await page.keyboard.press("Escape")
      const leave = page.getByRole("dialog", { name: "Give up what you changed?" })
      await leave.getByRole("button", { name: "Go on editing" }).click()
      await page.unroute("**/api/crons/*")
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.waitFor({ state: "detached" })
      const saved = await find("Their name")
      assert.strictEqual(fieldsOf(saved.payload).message, "What I typed")
      await gatewayCall(console.url, "cron.remove", { id: added.id })
    }))

  it("show hostile names and prompts as text", () =>
    withPage(browser, {}, async (page) => {
      const added = await gatewayCalls(
        console.url,
        "cron.add",
        XSS_CORPUS.map((text) => job(text, { description: text, payload: { kind: "agentTurn", message: text } }))
      )
      await open(page)
      await page
        .locator(".job")
        .nth(XSS_CORPUS.length - 1)
        .waitFor()
      const shown = await page.locator(".job-name").allTextContents()
      assert.sameMembers(shown, [...XSS_CORPUS])
      await page.locator(".job-name").first().click()
      await page.locator(".job-prompt").waitFor()
      assert.strictEqual(await page.locator(".operations :is(script, iframe, object, embed, base)").count(), 0)
      await gatewayCalls(
        console.url,
        "cron.remove",
        added.map((one) => ({ id: fieldsOf(one).id }))
      )
      await page.getByText("No job is scheduled").waitFor()
    }))

  it("are made with the keyboard alone", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.getByText("No job is scheduled").waitFor()
      await page.getByRole("button", { name: "New job" }).focus()
      await page.keyboard.press("n")
      await page.waitForFunction(() => document.activeElement?.id === "job-name")
      await page.keyboard.type("By keys")
      await page.keyboard.press("Tab")
      await page.keyboard.type("Do it")
      await page.keyboard.press("Tab")
      await page.keyboard.type("Once a")
      await page.locator("#job-day").waitFor()
      await page.keyboard.press("Tab")
      await page.keyboard.press("Control+a")
      await page.keyboard.type("15")
      await page.getByText("On the 15th of every month at 09:00").waitFor()
      await page.keyboard.press("Enter")
      await row(page, "By keys").waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent?.includes("New job") === true)
      await page.locator(".job-name").focus()
      await page.keyboard.press("Enter")
      await page.locator(".job-prompt", { hasText: "Do it" }).waitFor()
      await gatewayCall(console.url, "cron.remove", { id: (await find("By keys")).id })
    }))
})
