import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { fieldsOf, recordsOf, textOf } from "../../src/contract/looseFields.ts"
import { markUnseen } from "../../src/contract/unseenCharacters.ts"
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
        await dialog.getByRole("button", { name: "Schedule job" }).click()
        await dialog.getByText("Give the job a name.").waitFor()
        await page.waitForFunction(() => document.activeElement?.id === "job-name")
        await dialog.getByLabel("Name").fill(name)
        await dialog.getByLabel("What the agent should do").fill("Say that it is time for tea.")
        await dialog.getByLabel("Repeat").selectOption("On certain weekdays")
        await dialog.getByText("Sat", { exact: true }).click()
        await dialog.getByLabel("Time", { exact: true }).fill("16:30")
        await dialog.getByLabel("Time zone").selectOption("Europe/London")
        await dialog.getByText("On Mondays, Tuesdays, Wednesdays, Thursdays, Fridays and Saturdays at 16:30").waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await dialog.getByRole("button", { name: "Schedule job" }).click()
        await dialog.waitFor({ state: "detached" })
        await row(page, name).getByText("Europe/London").waitFor()
        assert.deepStrictEqual((await find(name)).schedule, {
          kind: "cron",
          expr: "30 16 * * 1,2,3,4,5,6",
          tz: "Europe/London"
        })

        if (size === "desktop") await row(page, name).getByRole("button", { name: "Run now" }).click()
        else await menu(page, name, "Run now")
        await page.getByText(`${name} finished.`).waitFor()
        await row(page, name).locator(".job-name").click()
        await row(page, name).locator(".run").getByText("Nothing urgent").waitFor()
        assert.include(new URL(page.url()).pathname, textOf((await find(name)).id) ?? "no id")

        await menu(page, name, "Edit…")
        const edit = page.getByRole("dialog", { name: "Edit job" })
        await edit.getByLabel("Repeat").selectOption("Cron expression")
        assert.strictEqual(await edit.getByLabel("Cron expression").inputValue(), "30 16 * * 1,2,3,4,5,6")
        await edit.getByLabel("Cron expression").fill("0 25 * * *")
        await edit.getByText("“25” isn't a valid hour.").first().waitFor()
        await edit.getByRole("button", { name: "Save" }).click()
        await page.waitForFunction(() => document.activeElement?.id === "job-cron")
        await edit.getByLabel("Cron expression").fill("*/20 9-17 * * 1-5")
        await edit.getByRole("button", { name: "Save" }).click()
        await edit.waitFor({ state: "detached" })
        await row(page, name).getByText("Every 20 minutes from 09:00 to 17:40, on weekdays").waitFor()

        const toggle = row(page, name).getByRole("switch")
        await toggle.click()
        await page.locator(".job.is-off", { hasText: name }).waitFor()
        assert.isFalse((await find(name)).enabled)
        await toggle.click()
        await page.locator(".job.is-off", { hasText: name }).waitFor({ state: "detached" })

        await menu(page, name, "Delete")
        await row(page, name).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await row(page, name).waitFor()
        await menu(page, name, "Delete")
        await row(page, name).waitFor({ state: "detached" })
        const notice = page.locator(".notice", { hasText: `${name} deleted.` })
        await notice.getByRole("button", { name: "Dismiss" }).click()
        while ((await find(name)).name !== undefined) await page.waitForTimeout(50)
        await row(page, name).waitFor({ state: "detached" })
      }))

  it("follow what others do, a run while it lasts, and survive a gateway that forgets", () =>
    withPage(browser, { expectedErrors: [/WebSocket|ERR_|Failed to load resource/] }, async (page) => {
      await open(page)
      await page.getByText("No scheduled jobs").waitFor()
      const added = fieldsOf(await gatewayCall(console.url, "cron.add", job("Made elsewhere")))
      await row(page, "Made elsewhere").getByText("Every hour").waitFor()
      await gatewayCall(console.url, "cron.run", { id: added.id, mode: "force" })
      await row(page, "Made elsewhere").getByText("Ran now").waitFor()
      await gatewayCall(console.url, "cron.update", { id: added.id, patch: { name: "Renamed elsewhere" } })
      await row(page, "Renamed elsewhere").waitFor()
      await gateway.forget()
      await page.getByText("No scheduled jobs").waitFor({ timeout: 30_000 })
    }))

  it("that take longer are shown as running, and their end when it comes", () =>
    withPage(browser, {}, async (page) => {
      const added = fieldsOf(await gatewayCall(console.url, "cron.add", job("Long work")))
      await page.route("**/api/crons/*/run", (route) =>
        route.fulfill({ status: 202, json: { ok: true, jobId: added.id, running: true, details: "It goes on." } })
      )
      await open(page)
      await row(page, "Long work").getByRole("button", { name: "Run now" }).click()
      await page.getByText("Long work is still running. You'll see here when it finishes.").waitFor()
      await gatewayCall(console.url, "cron.run", { id: added.id, mode: "force" })
      await page.getByText("Long work finished.").waitFor()
      await gatewayCall(console.url, "cron.remove", { id: added.id })
    }))

  it("keep what was typed when saving fails, when somebody else changes them, and until it is given up", () =>
    withPage(browser, { expectedErrors: [/Failed to load resource/] }, async (page) => {
      const added = fieldsOf(await gatewayCall(console.url, "cron.add", job("Contested")))
      await open(page)
      await menu(page, "Contested", "Edit…")
      const dialog = page.getByRole("dialog", { name: "Edit job" })
      await dialog.getByLabel("What the agent should do").fill("What I typed")
      await gatewayCall(console.url, "cron.update", { id: added.id, patch: { name: "Their name" } })
      await dialog.getByText("Name: Their name").waitFor()
      await page.route("**/api/crons/*", (route) =>
        route.fulfill({ status: 502, json: { error: "gateway_failure", details: "The gateway is away." } })
      )
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.getByText("Couldn't save: The gateway is away.").waitFor()
      assert.strictEqual(await dialog.getByLabel("What the agent should do").inputValue(), "What I typed")
      await page.keyboard.press("Escape")
      const leave = page.getByRole("dialog", { name: "Discard your changes?" })
      await leave.getByRole("button", { name: "Keep editing" }).click()
      await page.unroute("**/api/crons/*")
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.waitFor({ state: "detached" })
      const saved = await find("Their name")
      assert.strictEqual(fieldsOf(saved.payload).message, "What I typed")
      await gatewayCall(console.url, "cron.remove", { id: added.id })
    }))

  it("show hostile names and prompts as text", () =>
    withPage(browser, {}, async (page) => {
      // A gateway takes thirty new jobs a minute, so each has several of the texts.
      const texts = Array.from({ length: 15 }, (_, start) =>
        XSS_CORPUS.filter((_text, index) => index % 15 === start).join("\n")
      )
      const added = await gatewayCalls(
        console.url,
        "cron.add",
        texts.map((text) => job(text, { description: text, payload: { kind: "agentTurn", message: text } }))
      )
      await open(page)
      await page
        .locator(".job")
        .nth(texts.length - 1)
        .waitFor()
      const shown = await page.locator(".job-name").allTextContents()
      assert.sameMembers(
        shown,
        texts.map((text) => markUnseen(text, "prose"))
      )
      await page.locator(".job-name").first().click()
      await page.locator(".job-prompt").waitFor()
      // Its runs are requested as it opens; a job deleted by then has none.
      await page.getByText("No runs yet").waitFor()
      assert.strictEqual(await page.locator(".operations :is(script, iframe, object, embed, base)").count(), 0)
      await gatewayCalls(
        console.url,
        "cron.remove",
        added.map((one) => ({ id: fieldsOf(one).id }))
      )
      await page.getByText("No scheduled jobs").waitFor()
    }))

  it("are made with the keyboard alone", () =>
    withPage(browser, {}, async (page) => {
      await open(page)
      await page.getByText("No scheduled jobs").waitFor()
      await page.getByRole("button", { name: "New job" }).focus()
      await page.keyboard.press("n")
      await page.waitForFunction(() => document.activeElement?.id === "job-name")
      await page.keyboard.type("By keys")
      await page.keyboard.press("Tab")
      await page.keyboard.type("Do it")
      await page.keyboard.press("Tab")
      await page.keyboard.type("Every m")
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
