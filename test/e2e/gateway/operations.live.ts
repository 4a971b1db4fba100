import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldsOf, recordsOf } from "../../../src/contract/looseFields.ts"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected } from "../support/conversation.ts"
import { gatewayCall } from "../support/gatewayHistory.ts"
import { useBrowser } from "../support/useConsole.ts"

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the operations in front of gateway ${gateway.version}`, () => {
    const browser = useBrowser()

    it.live("make, run, change and delete a job, and show skills, usage and the gateway", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const stored = async (name: string) => {
          const { jobs } = fieldsOf(await gatewayCall(url, "cron.list", { includeDisabled: true }))
          return recordsOf(jobs).find((job) => job.name === name)
        }
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            page.setDefaultTimeout(60_000)
            await page.goto(`${url}/operations/crons`)
            await connected(page)
            await page.getByRole("button", { name: "New job" }).click()
            const create = page.getByRole("dialog", { name: "New job" })
            await create.getByLabel("Name").fill("Live job")
            await create.getByLabel("What the agent should do").fill("Say it. [[mock:text=said by the job]]")
            await create.getByLabel("Time", { exact: true }).fill("07:45")
            await create.getByText("Model, session and delivery").click()
            await create.getByLabel("Model").selectOption({ index: 1 })
            await create.getByRole("button", { name: "Schedule job" }).click()
            await create.waitFor({ state: "detached" })
            const row = page.locator(".job", { hasText: "Live job" })
            await row.getByText("Every day at 07:45").waitFor()
            assert.isString(fieldsOf((await stored("Live job"))?.payload).model)

            await row.getByRole("button", { name: "Run now" }).click()
            await row.locator(".job-name").click()
            await row.locator(".run", { hasText: "said by the job" }).first().waitFor()

            await page.getByRole("button", { name: "More for Live job" }).click()
            await page.getByRole("menuitem", { name: "Edit…" }).click()
            const edit = page.getByRole("dialog", { name: "Edit job" })
            await edit.getByLabel("Repeat").selectOption("At intervals")
            await edit.getByLabel("Every", { exact: true }).fill("45")
            await edit.getByLabel("Model").selectOption("Agent default")
            await edit.getByRole("button", { name: "Save" }).click()
            await edit.waitFor({ state: "detached" })
            await row.getByText("Every 45 minutes").waitFor()
            // The older generation cannot take a model back, and the page says so.
            const { model } = fieldsOf((await stored("Live job"))?.payload)
            if (model !== undefined) await page.getByText("Saved, but this gateway keeps the model").waitFor()
            assert.strictEqual(model === undefined, gateway.version.startsWith("2026.9"))
            await keepPicture(page, `gateway-${gateway.version}-crons`)

            await row.getByRole("switch").click()
            await page.locator(".job.is-off", { hasText: "Live job" }).waitFor()
            await page.getByRole("button", { name: "More for Live job" }).click()
            await page.getByRole("menuitem", { name: "Delete" }).click()
            const notice = page.locator(".notice", { hasText: "Live job deleted." })
            await notice.getByRole("button", { name: "Dismiss" }).click()
            while ((await stored("Live job")) !== undefined) await page.waitForTimeout(100)

            await page.getByRole("link", { name: "Skills" }).click()
            await page.locator(".skill").first().waitFor()
            await page.getByRole("link", { name: "Usage" }).click()
            await page.locator('[data-figure="day-tokens"], .state-title').first().waitFor()
            await page.getByRole("link", { name: "Gateway" }).click()
            await page.locator('[data-gateway="ok"]').waitFor()
            await page.getByText(gateway.version).first().waitFor()
            await page.locator("[data-latency]", { hasText: /\d/ }).waitFor()
          })
        )
      }).pipe(Effect.scoped)
    )
  })
}
