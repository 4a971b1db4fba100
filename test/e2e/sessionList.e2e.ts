import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import type { GenerationName } from "../../practice-gateway/older/practiceGateway.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { gatewayCalls } from "./support/gatewayHistory.ts"
import { shiftsOf, watchShiftsIn } from "./support/layoutShifts.ts"
import { longPress } from "./support/longPress.ts"
import { talk } from "./support/talk.ts"
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

describe("the list of sessions", () => {
  const gateway = useGateway()
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  for (const size of SIZES)
    it(`names a session after the first words a person wrote, everywhere (${size})`, () =>
      withPage(browser, { size }, async (page) => {
        const words = `Trip to Lisbon on a ${size}`
        const key = await openNewSession(page, console.url)
        await page.getByRole("heading", { level: 1, name: "New session" }).waitFor()
        assert.strictEqual(await rowOf(page, key).count(), 0)
        await say(page, words)
        // The first answer is still on its way.
        await titleIn(page, key, words)
        await finishedAnswer(page, "You said")
        await page.getByRole("heading", { level: 1, name: words }).waitFor()
        await tabTitle(page, new RegExp(`^${words} · Agent Console$`))
        await showList(page)
        await keepPicture(page, `sessions-named-${size}`)
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
        await keepPicture(page, "sessions-found")
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox").fill("subject 7")
        await page.getByRole("option", { name: "Subject 7, which" }).waitFor()
      }
    ))

  it("shows in every browser when a run was stopped, and does not take a stopped or lost one for a working one", () =>
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
      await tabTitle(page, /^\(\d+\) Failed · /)
      await keepPicture(page, "sessions-error")
      await page.locator("a.session.is-error").click()
      await tabTitle(page, /^(?!.*Failed)/)
      await page.locator("a.session.is-idle", { hasText: "Failed" }).first().waitFor()
      await page.reload()
      await connected(page)
      await rowOf(page, key).getByText("Failed").waitFor()
      assert.notInclude(await page.title(), "Failed")
      await keepPicture(page, "sessions-error-seen")
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
      await keepPicture(page, "sessions-main")
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

const headings = (page: Page): Promise<ReadonlyArray<string>> => page.locator(".session-heading").allTextContents()
const topOf = async (row: Locator): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1)

const generations: ReadonlyArray<GenerationName> = ["old", "new"]
for (const generation of generations)
  describe(`what a person makes of sessions, ${generation} generation`, () => {
    const gateway = useGateway({ generation, tokenMs: 0 })
    const console = useConsole(() => gateway.env)
    const browser = useBrowser()

    it("is the same on another device at once: pinned, grouped, archived, brought back and read", () =>
      withPage(browser, { size: "phone" }, async (phone) => {
        await open(phone, console.url)
        await showList(phone)
        await withPage(browser, {}, async (desk) => {
          const key = await openNewSession(desk, console.url)
          await say(desk, "water the garden")
          await finishedAnswer(desk, "You said")
          await rowOf(phone, key).and(phone.locator(".is-idle")).waitFor()

          await rowOf(desk, key).focus()
          await desk.keyboard.press("p")
          await rowOf(desk, key).locator(".session-pin").waitFor()
          assert.deepStrictEqual(await headings(desk), ["Pinned"])
          await desk.waitForFunction((at) => document.activeElement?.matches(at), `a[data-session="${key}"]`)
          await rowOf(phone, key).locator(".session-pin").waitFor()
          assert.deepStrictEqual(await headings(phone), ["Pinned"])

          await longPress(phone, rowOf(phone, key))
          await phone.getByRole("menuitem", { name: "Unpin" }).tap()
          await rowOf(desk, key).locator(".session-pin").waitFor({ state: "detached" })
          await rowOf(desk, key).focus()
          await desk.keyboard.press("m")
          const dialog = desk.getByRole("dialog", { name: "Move to group" })
          await dialog.getByLabel("Group", { exact: true }).fill("House and garden")
          assert.deepStrictEqual(await accessProblems(desk), [])
          await keepPicture(desk, `sessions-group-${generation}`)
          await desk.keyboard.press("Enter")
          await dialog.waitFor({ state: "detached" })
          for (const page of [desk, phone])
            await page.locator(".session-heading", { hasText: "House and garden" }).waitFor()
          await keepPicture(desk, `sessions-grouped-${generation}`)
          await keepPicture(phone, `sessions-grouped-phone-${generation}`)

          const group = (page: Page, name: string) => page.getByRole("button", { name: `Actions for ${name}` })
          await group(desk, "House and garden").focus()
          await desk.keyboard.press("Enter")
          await desk.waitForFunction(() => document.activeElement?.textContent === "Rename group…")
          await keepPicture(desk, `sessions-group-menu-${generation}`)
          await desk.keyboard.press("Enter")
          const naming = desk.getByRole("dialog", { name: "Rename group" })
          await desk.waitForFunction(() => document.activeElement?.id === "group-name")
          assert.deepStrictEqual(await accessProblems(desk), [])
          await naming.getByLabel("Name").fill("Garden")
          await desk.keyboard.press("Enter")
          await naming.waitFor({ state: "detached" })
          for (const page of [desk, phone]) {
            await group(page, "Garden").waitFor()
            assert.deepStrictEqual(await headings(page), ["Garden"])
          }
          await desk.waitForFunction(() => document.activeElement?.matches('[data-group-menu="Garden"]'))
          // Nothing moves in a list that has the focus.
          await desk.locator("#main").focus()
          await group(phone, "Garden").tap()
          await phone.getByRole("menuitem", { name: "Ungroup" }).tap()
          for (const page of [desk, phone]) await group(page, "Garden").waitFor({ state: "detached" })
          await phone.getByRole("button", { name: "Undo" }).tap()
          for (const page of [desk, phone]) await group(page, "Garden").waitFor()

          await rowOf(desk, key).focus()
          await desk.keyboard.press("e")
          await desk.getByText("“water the garden” was archived.").waitFor()
          for (const page of [desk, phone]) await rowOf(page, key).waitFor({ state: "detached" })
          await phone.getByRole("button", { name: "Archived" }).tap()
          await rowOf(phone, key).waitFor()
          await keepPicture(phone, `sessions-archived-${generation}`)
          await desk.getByRole("button", { name: "Undo" }).click()
          await rowOf(desk, key).waitFor()
          await rowOf(phone, key).waitFor({ state: "detached" })
          await phone.getByRole("button", { name: "Back to all sessions" }).tap()

          await rowOf(desk, key).focus()
          await desk.keyboard.press("e")
          await rowOf(phone, key).waitFor({ state: "detached" })
          await say(desk, "one more thing")
          await finishedAnswer(desk, "one more thing")
          await rowOf(phone, key).waitFor()

          await desk.goto(`${console.url}/board`)
          await talk(console.url, ["something to read"])
          const unread = (page: Page) => page.locator("a.session.is-unread", { hasText: "something to read" })
          await unread(phone).waitFor()
          await unread(desk).click()
          await desk.locator(".message.is-assistant", { hasText: "something to read" }).waitFor()
          await unread(phone).waitFor({ state: "detached", timeout: 2_000 })
          await desk.reload()
          await connected(desk)
          await withPage(browser, {}, async (later) => {
            await open(later, console.url)
            await later.locator("a.session.is-idle", { hasText: "something to read" }).waitFor()
          })
        })
      }))
  })

describe("the rows of the list", () => {
  const gateway = useGateway({ tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("shows a row's menu in place of its time to who points at it or focuses it, on a phone only where one is", () =>
    withPage(browser, {}, async (desk) => {
      await talk(console.url, ["a row with a menu"])
      await open(desk, console.url)
      const row = desk.locator(".session-row", { hasText: "a row with a menu" })
      const shows = (part: string, isShown: boolean) =>
        row.locator(part).evaluate(
          (element, wanted) =>
            new Promise<void>((resolve) => {
              const look = () =>
                getComputedStyle(element).opacity === wanted ? resolve() : void requestAnimationFrame(look)
              look()
            }),
          isShown ? "1" : "0"
        )
      await desk.mouse.move(900, 400)
      await shows(".session-more", false)
      await shows(".session-time", true)
      await row.hover()
      await shows(".session-more", true)
      await shows(".session-time", false)
      await desk.mouse.move(900, 400)
      await shows(".session-more", false)
      await desk.getByLabel("Filter sessions").focus()
      await desk.keyboard.press("Tab")
      await row.locator("a").focus()
      await shows(".session-more", true)
      await withPage(browser, { size: "phone" }, async (phone) => {
        await open(phone, console.url)
        await showList(phone)
        await phone.locator(".session-row:not(.is-current) .session-more").first().press("Enter")
        await phone.getByRole("menuitem", { name: "Rename" }).waitFor()
      })
    }))

  it("stays where it is under the pointer and the focus, whatever arrives, and moves for the person's own doing", () =>
    withPage(browser, { prepare: (page) => watchShiftsIn(page, ".sessions") }, async (page) => {
      await talk(console.url, ["the first of three", "the second of three", "the third of three"])
      await open(page, console.url)
      const row = page.locator("a[data-session]", { hasText: "the first of three" })
      await row.waitFor()
      assert.deepStrictEqual(await shiftsOf(page), [])
      await row.hover()
      const top = await topOf(row)
      await talk(console.url, ["news from elsewhere"])
      const key = (await row.getAttribute("data-session")) ?? ""
      await gatewayCalls(console.url, "chat.send", [
        { sessionKey: key, message: "and again", idempotencyKey: randomUUID() }
      ])
      await row.and(page.locator(".is-unread")).waitFor()
      assert.strictEqual(await topOf(row), top)
      assert.strictEqual(await page.locator("a[data-session]", { hasText: "news from elsewhere" }).count(), 0)
      await page.mouse.move(900, 300)
      await page.locator("a[data-session]", { hasText: "news from elsewhere" }).waitFor()
      assert.isBelow(await topOf(row), top)

      const third = page.locator("a[data-session]", { hasText: "the third of three" })
      await third.focus()
      const before = await topOf(third)
      await talk(console.url, ["more from elsewhere"])
      await page.waitForFunction(() => document.title.length > 0)
      await gatewayCalls(console.url, "sessions.patch", [{ key, label: "Renamed elsewhere" }])
      await page.locator("a[data-session]", { hasText: "Renamed elsewhere" }).waitFor()
      assert.strictEqual(await topOf(third), before)
      await page.keyboard.press("p")
      await third.locator(".session-pin").waitFor()
      assert.isBelow(await topOf(third), before)
    }))
})

describe("the sessions a person made, new generation", () => {
  const gateway = useGateway({ generation: "new", tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()

  it("are listed beside the main conversation, and only what an agent spawned is below it", () =>
    withPage(browser, {}, async (page) => {
      const keys: Array<string> = []
      for (let index = 0; index < 5; index++) {
        keys.push(await openNewSession(page, console.url))
        await say(page, index === 4 ? "spawn a helper" : `number ${index}`)
        await rowOf(page, keys.at(-1) ?? "").waitFor({ state: "attached" })
      }
      await page.locator("a[data-session*=':subagent:']").first().waitFor({ state: "attached" })
      const isFamily = async (one: Page, size: Size) => {
        await one.locator(".depth-1 > a[data-session*=':subagent:']").first().waitFor()
        for (const key of keys) assert.strictEqual(await one.locator(`.depth-0 > a[data-session="${key}"]`).count(), 1)
        assert.strictEqual(await one.locator(".session-rest[aria-expanded]").count(), 0)
        await keepPicture(one, `sessions-family-${size}`)
      }
      await isFamily(page, "desktop")
      await withPage(browser, { size: "phone" }, async (phone) => {
        await open(phone, console.url)
        await showList(phone)
        await isFamily(phone, "phone")
      })
    }))
})
