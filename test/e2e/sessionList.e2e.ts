import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import type { Generation } from "../../src/practice-gateway/wire/generations.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { gatewayCalls } from "./support/gatewayHistory.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const MAIN = "agent:main:main"
const SIZES: ReadonlyArray<Size> = ["desktop", "phone"]

const rowOf = (page: Page, key: string): Locator => page.locator(`a[data-session="${key}"]`)
const titleIn = (page: Page, key: string, title: string): Promise<void> =>
  rowOf(page, key).locator(".session-title").getByText(title, { exact: true }).waitFor({ state: "attached" })
const open = async (page: Page, url: string, key = MAIN): Promise<void> => {
  await page.goto(`${url}/chat/${key}`)
  await connected(page)
  await rowOf(page, MAIN).waitFor({ state: "attached" })
}
const showList = async (page: Page): Promise<void> => {
  const menu = page.locator("[data-open-sessions]")
  if (!(await menu.isVisible())) return
  await menu.click()
  await page.locator(".shell.is-drawer-open").waitFor()
  await page
    .locator(".sidebar")
    .evaluate((sidebar) => Promise.all(sidebar.getAnimations().map((animation) => animation.finished)))
}
const tabTitle = (page: Page, title: RegExp): Promise<unknown> =>
  page.waitForFunction(({ source }) => new RegExp(source).test(document.title), { source: title.source })

/** Sessions without a name in which a person wrote, oldest first; answers when the agent has answered. */
const talk = async (url: string, texts: ReadonlyArray<string>): Promise<void> => {
  const turns = texts.map((message) => ({ message, id: randomUUID() }))
  const sent = turns.map(({ message, id }) => ({
    sessionKey: `agent:main:client:${id}`,
    message,
    idempotencyKey: id
  }))
  await gatewayCalls(url, "chat.send", sent)
  await gatewayCalls(
    url,
    "agent.wait",
    turns.map(({ id }) => ({ runId: id, timeoutMs: 10_000 }))
  )
}

const generations: ReadonlyArray<Generation> = ["old", "new"]
for (const generation of generations)
  describe(`the list of sessions, ${generation} generation`, () => {
    const gateway = useGateway({ generation })
    const console = useConsole(() => gateway.env)
    const browser = useBrowser()

    for (const size of SIZES)
      it(`names a session after the first words a person wrote, everywhere (${size})`, () =>
        withPage(browser, { size }, async (page) => {
          const words = `Trip to Lisbon on a ${size}`
          const key = await openNewSession(page, console.url)
          await titleIn(page, key, "New session")
          await say(page, words)
          // The first answer is still on its way.
          await titleIn(page, key, words)
          await finishedAnswer(page, "You said")
          await page.getByRole("heading", { level: 1, name: words }).waitFor()
          await tabTitle(page, new RegExp(`^${words} · Agent Console$`))
          await showList(page)
          await keepPicture(page, `sessions-named-${generation}-${size}`)
          await page.locator(`[data-session-menu="${key}"]`).click()
          await page.getByRole("menuitem", { name: "Delete" }).click()
          await page.getByText(`“${words}” was deleted.`).waitFor()
          await page.getByRole("button", { name: "Undo" }).click()
          await rowOf(page, key).waitFor({ state: "attached" })
        }))

    it("names what other clients began, and moves nothing while the names come", () =>
      withPage(
        browser,
        {
          prepare: async (page) => {
            await page.addInitScript(() => {
              Object.assign(window, { shifts: 0 })
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) {
                  const { value } = Object.assign({ value: 0 }, entry.toJSON())
                  Object.assign(window, { shifts: Reflect.get(window, "shifts") + value })
                }
              }).observe({ type: "layout-shift", buffered: true })
            })
          }
        },
        async (page) => {
          const long = "which goes on and on until no list could hold it"
          await talk(
            console.url,
            Array.from({ length: 12 }, (_, index) => `Subject ${index}, ${long}`)
          )
          await open(page, console.url)
          await page.getByText("Subject 0, which").waitFor()
          await page
            .locator(".session-title", { hasText: /^New session$/ })
            .first()
            .waitFor({ state: "detached" })
          assert.isBelow(Number(await page.evaluate("shifts")), 0.01)
          await keepPicture(page, `sessions-found-${generation}`)
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox").fill("subject 7")
          await page.getByRole("option", { name: "Subject 7, which" }).waitFor()
        }
      ))

    it("tells in every browser when a run was stopped, and does not take a stopped or lost one for a working one", () =>
      withPage(browser, {}, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "hang")
        await page.locator(".message.is-assistant", { hasText: "until you press Stop" }).waitFor()
        await withPage(browser, {}, async (second) => {
          await open(second, console.url)
          await second.locator(`a[data-session="${key}"].is-working`).waitFor()
          await page.getByRole("button", { name: "Stop response" }).click()
          await idle(page)
          await second.locator(`a[data-session="${key}"]:not(.is-working)`).waitFor()
        })
        await withPage(browser, {}, async (fresh) => {
          await open(fresh, console.url)
          await titleIn(fresh, key, "hang")
          assert.strictEqual(await fresh.locator(".session.is-working").count(), 0)
        })
        await say(page, "hang on")
        await rowOf(page, key).and(page.locator(".is-working")).waitFor()
        await gateway.run(({ restart }) => restart)
        await page.locator(`a[data-session="${key}"]:not(.is-working)`).waitFor()
        await withPage(browser, {}, async (fresh) => {
          await open(fresh, console.url)
          await titleIn(fresh, key, "hang")
          assert.strictEqual(await fresh.locator(".session.is-working").count(), 0)
        })
      }))

    it("calls for attention about a failure until somebody saw it, in whichever tab", () =>
      withPage(browser, {}, async (page) => {
        await open(page, console.url)
        const second = await page.context().newPage()
        const key = await openNewSession(second, console.url)
        await say(second, "please fail")
        await second.locator(".run-error").first().waitFor()
        await idle(second)
        await titleIn(page, key, "please fail")
        await rowOf(page, key).getByText("Failed").waitFor()
        assert.notInclude(await second.title(), "Failed")
        await second.close()
        assert.notInclude(await page.title(), "Failed", "the other tab has shown it")
        // Nobody looks at this one.
        await talk(console.url, ["this will fail"])
        await tabTitle(page, /^\(1\) Failed · /)
        await keepPicture(page, `sessions-error-${generation}`)
        await page.locator("a.session.is-error").click()
        await tabTitle(page, /^(?!.*Failed)/)
        await page.locator("a.session.is-idle", { hasText: "Failed" }).first().waitFor()
        await page.reload()
        await connected(page)
        await rowOf(page, key).getByText("Failed").waitFor()
        assert.notInclude(await page.title(), "Failed")
        await keepPicture(page, `sessions-error-seen-${generation}`)
      }))

    it("keeps the main conversation in reach, and finds sessions by their names alone", () =>
      withPage(browser, { size: "phone" }, async (page) => {
        await gatewayCalls(console.url, "chat.send", [
          { sessionKey: MAIN, message: "first of all", idempotencyKey: "first" }
        ])
        await gatewayCalls(
          console.url,
          "sessions.patch",
          Array.from({ length: 70 }, (_, index) => ({ key: `agent:main:many-${index}`, label: `Numbered ${index}` }))
        )
        await open(page, console.url)
        await showList(page)
        await page.getByText("Numbered 69", { exact: true }).waitFor()
        assert.strictEqual(await page.locator("a[data-session]").first().getAttribute("data-session"), MAIN)
        await page.getByLabel("Filter sessions").fill("main")
        await page.getByText("Numbered 69", { exact: true }).waitFor({ state: "detached" })
        assert.deepStrictEqual(
          await page
            .locator("a[data-session]")
            .evaluateAll((all) => all.map((link) => link.getAttribute("data-session"))),
          [MAIN]
        )
        await keepPicture(page, `sessions-main-${generation}`)
      }))

    it("drops a session at once that another browser deleted, also the one that is open", () =>
      withPage(browser, {}, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "soon gone")
        await finishedAnswer(page, "You said")
        await titleIn(page, key, "soon gone")
        await gatewayCalls(console.url, "sessions.delete", [{ key }])
        await rowOf(page, key).waitFor({ state: "detached" })
      }))
  })

describe("the sessions a person made, new generation", () => {
  const gateway = useGateway({ generation: "new", tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  for (const size of SIZES)
    it(`stand beside the main conversation, only what an agent spawned stands below (${size})`, () =>
      withPage(browser, { size }, async (page) => {
        const keys: Array<string> = []
        for (let index = 0; index < 5; index++) keys.push(await openNewSession(page, console.url))
        await say(page, "spawn a helper")
        await page.locator("a[data-session*=':subagent:']").first().waitFor({ state: "attached" })
        await showList(page)
        for (const key of keys) assert.strictEqual(await page.locator(`.depth-0 > a[data-session="${key}"]`).count(), 1)
        const helper = page.locator(".depth-1 > a[data-session*=':subagent:']").first()
        await helper.waitFor()
        assert.strictEqual(await page.locator(".session-rest").count(), 0)
        await keepPicture(page, `sessions-family-${size}`)
      }))
})
