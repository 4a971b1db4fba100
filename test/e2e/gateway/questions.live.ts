import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { keepPicture, withPage } from "../support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "../support/conversation.ts"
import { useBrowser } from "../support/useConsole.ts"

const colour = {
  id: "colour",
  header: "Colour",
  question: "Which colour shall the shed have?",
  options: [{ label: "Red", description: "As before" }, { label: "Blue" }]
}
const extras = {
  id: "extras",
  header: "Extras",
  question: "What else?",
  multiSelect: true,
  options: [{ label: "Window" }, { label: "Lamp" }, { label: "Bench" }]
}

/** What makes the gateway's agent use a tool, and say something once it has the result. */
const using = (tool: string, args: object, after: string) =>
  `Go on. [[mock:tool=${tool} ${JSON.stringify(args)}]] [[mock:text=${after}]]`
const asking = (questions: ReadonlyArray<object>, after: string, timeoutSeconds = 300) =>
  using("ask_user", { questions, timeoutSeconds }, after)

const card = (page: Page) => page.locator(".question")
const answer = (page: Page) => card(page).getByRole("button", { name: "Answer" }).click()
const told = (page: Page, text: string) => page.locator('[data-tool="ask_user"]', { hasText: text }).last().waitFor()

// The older generation has no questions.
for (const gateway of inject("gateways")) {
  describeOn(gateway, gateway.version.startsWith("2026.3") ? "this generation asks no questions" : undefined)(
    `questions of agents, with gateway ${gateway.version}`,
    () => {
      const browser = useBrowser()

      it.live("are shown, stay over a reload, and are answered by a choice, by typing, by a skip, and by nobody", () =>
        Effect.gen(function* () {
          const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
          yield* Effect.promise(() =>
            withPage(browser, {}, async (page) => {
              // Half a minute is the shortest time; it passes while the others are answered.
              const unanswered = await openNewSession(page, url)
              await say(page, asking([colour], "nobody said", 30))
              await card(page).waitFor({ timeout: 60_000 })
              await card(page)
                .getByText(/^Expires in \d+ s$/)
                .waitFor()

              const key = await openNewSession(page, url)
              await say(page, asking([colour, extras], "so be it"))
              await card(page).getByText("What else?").waitFor()
              await page.locator(".activity", { hasText: "Waiting for you" }).waitFor()
              await page.locator(".navigation .count", { hasText: "2" }).waitFor()
              await page.reload()
              await card(page).getByLabel("Red").check()
              await page.locator(`a[data-session="${key}"].is-waiting`).waitFor()
              await card(page).getByLabel("Lamp").check()
              await card(page)
                .getByRole("group", { name: /What else/ })
                .getByLabel("Your own answer")
                .fill("a bell")
              await keepPicture(page, `questions-gateway-${gateway.version}`)
              await answer(page)
              await finishedAnswer(page, "so be it")
              await told(page, "→ Red, Lamp, a bell")
              assert.strictEqual(await card(page).count(), 0)

              await say(page, asking([colour], "noted"))
              await card(page).waitFor()
              await page.locator("#composer").fill("2")
              await page.getByRole("button", { name: "Send as answer" }).first().click()
              await finishedAnswer(page, "noted")
              await told(page, "→ Blue")

              await say(page, asking([colour], "as I like"))
              await card(page).getByRole("button", { name: "Skip" }).click()
              await finishedAnswer(page, "as I like")
              await told(page, "→ no answer")

              await page.locator(`a[data-session="${unanswered}"]`).click()
              await page
                .locator(".question-note", { hasText: "The agent continued without an answer." })
                .waitFor({ timeout: 40_000 })
              await finishedAnswer(page, "nobody said")
            })
          )
        }).pipe(Effect.scoped)
      )

      it.live("leave the other browsers when they are answered in one", () =>
        Effect.gen(function* () {
          const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
          yield* Effect.promise(() =>
            withPage(browser, {}, async (page) => {
              const key = await openNewSession(page, url)
              await say(page, asking([colour], "thank you"))
              await card(page).waitFor({ timeout: 60_000 })
              await withPage(browser, { size: "phone" }, async (other) => {
                await other.goto(`${url}/chat/${encodeURIComponent(key)}`)
                await connected(other)
                await card(other).getByLabel("Your own answer").fill("pink")
                await answer(other)
                await card(other).waitFor({ state: "detached" })
              })
              await page.locator(".question-note", { hasText: "Answered elsewhere: pink" }).waitFor()
              assert.strictEqual(await card(page).count(), 0)
              await finishedAnswer(page, "thank you")
            })
          )
        }).pipe(Effect.scoped)
      )

      it.live("may be for a secret, which the gateway keeps and the agent never sees", () =>
        Effect.gen(function* () {
          const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
          yield* Effect.promise(() =>
            withPage(browser, {}, async (page) => {
              await openNewSession(page, url)
              const request = { action: "request", name: "SHED_KEY", reason: "to open the shed" }
              await say(page, using("secrets", request, "I have it"))
              await card(page).getByText("to open the shed").waitFor({ timeout: 60_000 })
              await card(page).getByText("Saved on the gateway as SHED_KEY.").waitFor()
              await card(page).getByLabel("Secret").fill("hunter2")
              await answer(page)
              await finishedAnswer(page, "I have it")
              await page.reload()
              await page.locator(".message.is-assistant", { hasText: "I have it" }).waitFor()
              const shown = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.body.outerHTML]))
              assert.notInclude(shown, "hunter2")
            })
          )
        }).pipe(Effect.scoped)
      )
    }
  )
}
