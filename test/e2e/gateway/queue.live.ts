import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "../support/conversation.ts"
import { useBrowser } from "../support/useConsole.ts"

const held = (page: Page, text?: string) =>
  page.locator(".message.is-held", text === undefined ? {} : { hasText: text })
const asked = (page: Page) => page.locator(".message.is-user .bubble").allTextContents()
/** A response that takes its time. */
const slowly = (text: string) => `${text} [[mock:chunks=20]] [[mock:delay=400]]`

for (const gateway of inject("gateways"))
  describeOn(gateway)(`messages written while the agent works, with gateway ${gateway.version}`, () => {
    const browser = useBrowser()
    const isNewer = gateway.version.startsWith("2026.9")

    it.live("outlive the phone they were written on, and go out in order, once each", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, { size: "phone" }, async (phone) => {
            const key = await openNewSession(phone, url)
            await say(phone, slowly("take your time"))
            await phone.locator(".message.is-assistant").waitFor({ timeout: 60_000 })
            for (const text of ["first of three", "second of three", "third of three"]) {
              await say(phone, text)
              await held(phone, text).waitFor()
            }
            await keepPicture(phone, `queue-live-${gateway.version}`)
            await phone.goto("about:blank")
            await withPage(browser, {}, async (page) => {
              await page.goto(`${url}/chat/${encodeURIComponent(key)}`)
              await connected(page)
              await held(page, "third of three").waitFor()
              await finishedAnswer(page, "third of three")
              await held(page).first().waitFor({ state: "detached", timeout: 90_000 })
              await idle(page)
              assert.deepStrictEqual((await asked(page)).slice(1), [
                "first of three",
                "second of three",
                "third of three"
              ])
              await page.reload()
              await connected(page)
              await page.locator(".message.is-user", { hasText: "third of three" }).waitFor()
              assert.deepStrictEqual((await asked(page)).slice(1), [
                "first of three",
                "second of three",
                "third of three"
              ])
            })
          })
        )
      })
    )

    it.live("are handed to the running answer, or take its place, and Stop asks about the rest", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* Effect.promise(() =>
          withPage(browser, {}, async (page) => {
            await openNewSession(page, url)
            await say(page, slowly("take your time"))
            await page.locator(".message.is-assistant").waitFor({ timeout: 60_000 })
            for (const text of ["this one instead", "and this one never"]) {
              await say(page, text)
              await held(page, text).waitFor()
            }
            if (isNewer) {
              await held(page, "this one instead").getByRole("button", { name: "More for this message" }).click()
              await page.getByRole("menuitem", { name: "Stop and send" }).click()
            } else await held(page, "this one instead").getByRole("button", { name: "Stop and send" }).click()
            await page.locator(".run-stopped").waitFor({ timeout: 60_000 })
            await finishedAnswer(page, "and this one never")
            assert.deepStrictEqual((await asked(page)).slice(1), ["this one instead", "and this one never"])

            await say(page, slowly("once more"))
            await page.locator('#log[aria-busy="true"]').waitFor()
            await say(page, "not after all")
            await held(page, "not after all").waitFor()
            await page.getByRole("button", { name: "Stop response" }).click()
            await page
              .getByRole("dialog", { name: "Stop the response?" })
              .getByRole("button", { name: "Stop and take back" })
              .click()
            await idle(page)
            await page.waitForFunction(() => document.querySelector("textarea")?.value === "not after all")
            assert.strictEqual(await held(page).count(), 0)
          })
        )
      })
    )
  })
