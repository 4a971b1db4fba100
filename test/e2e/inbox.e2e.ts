import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { boardCalls } from "./support/boardCalls.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, openNewSession, say } from "./support/conversation.ts"
import { fakeInbox, manyItems, oneOfEach } from "./support/fakeInbox.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const entry = (page: Page, text: string) => page.locator("[data-entry]", { hasText: text })
const entries = (page: Page) => page.locator("[data-entry]")
const badge = (page: Page) => page.locator(".navigation .count")
const badgeSays = (page: Page, count: string) =>
  badge(page).getByText(count, { exact: true }).waitFor({ state: "attached" })
const current = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-entry]")?.dataset.entry ?? "")
const isCurrent = (page: Page, id: string) =>
  page.waitForFunction(
    (wanted) => document.activeElement?.closest<HTMLElement>("[data-entry]")?.dataset.entry === wanted,
    id
  )

/** Closes what says what was done, which ends the time to undo it. */
const dismissNotices = async (page: Page): Promise<void> => {
  await page.locator(".notice [aria-label=Dismiss]").evaluateAll((all) => {
    for (const button of all) if (button instanceof HTMLElement) button.click()
  })
  await page.waitForFunction(() => document.querySelector(".notice") === null)
}

describe("everything that waits for a person", () => {
  const console = useConsole()
  const browser = useBrowser()

  for (const look of LOOKS)
    it(`is one list, the nearest deadline first, on a ${look.size} in ${look.theme}`, () =>
      withPage(browser, look, async (page) => {
        const now = Date.now()
        const ended = oneOfEach(now).map((item, index) => ({
          ...item,
          id: `ended-${index}`,
          state: "resolved" as const,
          actions: [],
          resolution: { action: item.kind === "question" ? "answer" : "approve", at: now, by: "console" as const }
        }))
        const { seen } = await fakeInbox(page, oneOfEach(now), ended)
        await page.goto(`${console.url}/inbox`)
        await entries(page).nth(6).waitFor()
        const kinds = await page
          .locator("[data-entry] :is(section, .inbox-row)")
          .evaluateAll((all) => all.map(({ className }) => className))
        assert.match(kinds[0] ?? "", /is-approval/)
        assert.match(kinds[1] ?? "", /question/)
        const isPhone = look.size === "phone"
        await page.getByText("Denied automatically in 9 min").waitFor()
        await page.waitForFunction(() => document.title.startsWith("(7) "))
        await badgeSays(page, "7")
        const links = await page
          .locator(isPhone ? "[data-open]" : "[data-about]")
          .evaluateAll((all) => all.map((link) => link.getAttribute("href")))
        assert.includeMembers(
          links,
          isPhone
            ? ["/inbox/approval-1", "/inbox/question-1", "/inbox/review-1"]
            : ["/chat/agent:main:main", "/board/card-1", "/board/card-3"]
        )
        await keepPicture(page, `inbox-${look.size}-${look.theme}`)
        assert.deepStrictEqual(await accessProblems(page), [])

        await page.locator(".inbox-kinds").getByText("Proposals").click()
        await entries(page).nth(1).waitFor()
        await page.waitForFunction(() => document.querySelectorAll("[data-entry]").length === 2)
        await entries(page).first().getByRole("checkbox").check()
        await keepPicture(page, `inbox-selected-${look.size}-${look.theme}`)
        assert.deepStrictEqual(await accessProblems(page), [])

        await page.getByRole("link", { name: "Decided" }).click()
        await page.locator("[data-decided]").nth(6).waitFor()
        await keepPicture(page, `inbox-decided-${look.size}-${look.theme}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.locator("[data-decided]").first().click()
        await page.locator("[data-ended]").waitFor()
        await keepPicture(page, `inbox-ended-${look.size}-${look.theme}`)
        assert.deepStrictEqual(await accessProblems(page), [])

        const told = page.waitForResponse((response) => response.url().endsWith("/api/inbox/seen"))
        await page.goto(`${console.url}/inbox/approval-1`)
        await entries(page).waitFor()
        const deny = await page.getByRole("button", { name: "Deny" }).boundingBox()
        assert.isAtLeast(deny?.height ?? 0, isPhone ? 44 : 36)
        const allow = await page.getByRole("button", { name: "Allow once" }).boundingBox()
        if (deny === null || allow === null) throw new Error("no buttons")
        if (isPhone) {
          assert.isAtLeast(allow.width, 300)
          assert.isAtLeast(deny.height, 52)
          assert.isAtLeast(deny.y - (allow.y + allow.height), 8, "no finger is on both")
          assert.isAbove(allow.y, 600, "where the thumb is")
          assert.isAtMost(deny.y + deny.height, 844)
        }
        await keepPicture(page, `inbox-alone-${look.size}-${look.theme}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await told
        assert.include(seen, "approval-1", "the page says what it shows")
      }))

  it("is worked through by keyboard", () =>
    // The card that is sent back doesn't exist, so it can't be run again.
    withPage(browser, { expectedErrors: [/404/] }, async (page) => {
      const { decisions } = await fakeInbox(page, oneOfEach(Date.now()))
      await page.goto(console.url)
      await connected(page)
      await badge(page).waitFor()
      await page.locator("body").click({ position: { x: 700, y: 5 } })
      await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : null))
      await page.keyboard.press("g")
      await page.keyboard.press("i")
      await page.waitForURL("**/inbox")
      await isCurrent(page, "approval-1")
      await page.keyboard.press("j")
      await isCurrent(page, "question-1")
      await page.keyboard.press("ArrowUp")
      await isCurrent(page, "approval-1")
      await page.keyboard.press("d")
      await entry(page, "old-reports").waitFor({ state: "detached" })
      await isCurrent(page, "question-1")
      await page.keyboard.press("2")
      await page.locator(".is-chosen", { hasText: "Blue" }).waitFor()
      await page.keyboard.press("Enter")
      await entry(page, "Which colour").waitFor({ state: "detached" })
      assert.deepStrictEqual(await decisions(2), [
        { id: "approval-1", body: { action: "deny" } },
        { id: "question-1", body: { action: "answer", answers: { colour: { options: ["2"] } } } }
      ])
      const rest = await entries(page).evaluateAll((all) => all.map((one) => one.getAttribute("data-entry")))
      assert.lengthOf(rest, 5)
      while ((await current(page)) !== "review-1") {
        const before = await current(page)
        await page.keyboard.press("j")
        await page.waitForFunction(
          (was) => document.activeElement?.closest<HTMLElement>("[data-entry]")?.dataset.entry !== was,
          before
        )
      }
      await page.keyboard.press("b")
      await page.locator("textarea:focus").waitFor()
      await page.keyboard.type("Shorter, please. Jazzy.")
      await page.keyboard.press("Control+Enter")
      await entry(page, "Find a name").waitFor({ state: "detached" })
      // The agent is at it again at once, so there is nothing to undo.
      assert.deepStrictEqual((await decisions(3))[2], {
        id: "review-1",
        body: { action: "send-back", text: "Shorter, please. Jazzy." }
      })
      await page.keyboard.press("Shift+?")
      await page.getByRole("dialog").getByText("Answer, or open what it's about").waitFor()
    }))

  it("is decided one after the other on a phone, and no tap decides two", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const { decided, decisions } = await fakeInbox(page, oneOfEach(Date.now()))
      await page.goto(`${console.url}/inbox`)
      await entry(page, "old-reports").getByRole("link").click()
      await page.getByText("1 of 7").waitFor()
      // The second tap of a double tap comes as soon as there is something below the finger.
      await page.evaluate(() => {
        new MutationObserver((_, observer) => {
          const skip = document.querySelector<HTMLElement>(".is-held [data-action=skip]")
          if (skip === null) return
          observer.disconnect()
          skip.click()
          document.body.dataset.tappedTwice = "true"
        }).observe(document.body, { childList: true, subtree: true })
      })
      await page.getByRole("button", { name: "Deny" }).click()
      await page.waitForURL("**/inbox/question-1")
      await page.locator("body[data-tapped-twice]").waitFor()
      await page.waitForFunction(() => document.querySelector(".is-held") === null)
      await page.getByRole("button", { name: "Skip" }).waitFor()
      assert.deepStrictEqual(await decisions(1), [{ id: "approval-1", body: { action: "deny" } }])
      await page.locator("[data-next]").click()
      await page.getByText("2 of 6").waitFor()
      assert.lengthOf(decided, 1)
    }))

  it("is decided in a phone's list with one tap, which never decides two", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      const all = oneOfEach(Date.now())
      const more = all.slice(0, 1).map((item) => ({ ...item, id: "approval-2", title: "rm -r ./newer-reports" }))
      const { decided, decisions } = await fakeInbox(page, [...all, ...more])
      await page.goto(`${console.url}/inbox`)
      const second = page.locator('[data-entry="approval-2"]')
      await second.waitFor()
      const sizes = await page.locator(".inbox-row-answers .button, .inbox-select").evaluateAll((all) =>
        all.map((one) => {
          const { height, width } = one.getBoundingClientRect()
          return Math.min(height, width)
        })
      )
      for (const size of sizes) assert.isAtLeast(size, 44)
      // A separator belongs to the fact before it, so that no line begins with one.
      const note = page.locator('[data-entry="question-1"] .inbox-row-note').first()
      const marks = await note.evaluate(({ children }) =>
        [...children].flatMap((fact) => ["::before", "::after"].map((side) => getComputedStyle(fact, side).content))
      )
      const isDot = (mark: string) => mark.includes("·")
      assert.deepStrictEqual(marks.slice(0, 3).map(isDot), [false, true, false])
      // The second tap of a double tap comes as soon as there is something else below the finger.
      await page.evaluate(() => {
        new MutationObserver((_, observer) => {
          if (document.querySelector('[data-entry="approval-1"]') !== null) return
          observer.disconnect()
          const below = document.querySelector('[data-entry="approval-2"]')
          below?.querySelector<HTMLElement>('[data-action="allow-once"]')?.click()
          const link = below?.querySelector("a[data-open]")
          document.body.dataset.link = link ? getComputedStyle(link).pointerEvents : "none there"
          document.body.dataset.tappedTwice = "true"
        }).observe(document.body, { childList: true, subtree: true })
      })
      await page.locator('[data-entry="approval-1"]').getByRole("button", { name: "Allow once" }).tap()
      await page.locator("body[data-tapped-twice]").waitFor()
      assert.strictEqual(await page.locator("body").getAttribute("data-link"), "none")
      const noneIsHeld = () => page.waitForFunction(() => document.querySelector(".is-held") === null)
      await noneIsHeld()
      assert.deepStrictEqual(await decisions(1), [{ id: "approval-1", body: { action: "allow-once" } }])
      await second.getByRole("button", { name: "Deny" }).tap()
      await second.waitFor({ state: "detached" })
      assert.deepStrictEqual((await decisions(2))[1], { id: "approval-2", body: { action: "deny" } })
      assert.lengthOf(decided, 2)
      // Anywhere else, a card leads to its own screen.
      await noneIsHeld()
      await entry(page, "Find a name for the new tool").tap({ position: { x: 200, y: 60 } })
      await page.waitForURL("**/inbox/review-1")
    }))

  it("is decided several at once, and undone", () =>
    withPage(browser, {}, async (page) => {
      const { decided, decisions } = await fakeInbox(page, oneOfEach(Date.now()))
      await page.goto(`${console.url}/inbox`)
      await isCurrent(page, "approval-1")
      for (const id of ["proposal-1", "proposal-2", "pairing-1", "question-1"])
        await page.locator(`[data-entry="${id}"]`).getByRole("checkbox").first().check()
      const bar = page.getByRole("toolbar", { name: "Selected items" })
      await bar.getByText("4 selected").waitFor()
      await bar.getByRole("button", { name: "Skip (1)" }).waitFor()
      await bar.getByRole("button", { name: "Reject (3)" }).click()
      await page.waitForFunction(() => document.querySelectorAll("[data-entry]").length === 4)
      assert.deepStrictEqual(await decisions(1), [{ id: "pairing-1", body: { action: "reject" } }])
      await page.getByText("Rejected: 2 items.").waitFor()
      await page.keyboard.press("Control+z")
      await entry(page, "first ten readers").waitFor()
      await badgeSays(page, "6")
      assert.lengthOf(decided, 1)
      await page.locator('[data-entry="proposal-1"]').focus()
      await page.keyboard.press("x")
      await page.keyboard.press("j")
      await page.keyboard.press("x")
      await bar.getByText("2 selected").waitFor()
      await page.keyboard.press("Escape")
      await bar.waitFor({ state: "detached" })
      await page.keyboard.press("x")
      await bar.getByRole("button", { name: "Select all 6" }).click()
      await bar.getByText("6 selected").waitFor()
      await page.keyboard.press("a")
      await page.waitForFunction(() => document.querySelectorAll("[data-entry]").length === 2)
      await dismissNotices(page)
      assert.sameMembers(
        (await decisions(5)).map(({ id }) => id),
        ["pairing-1", "approval-1", "proposal-1", "proposal-2", "review-1"]
      )
    }))

  it("stays light with a thousand items", () =>
    withPage(browser, {}, async (page) => {
      await fakeInbox(page, manyItems(1_000))
      await page.goto(`${console.url}/inbox`)
      await entries(page).nth(49).waitFor()
      assert.strictEqual(await entries(page).count(), 50)
      await badgeSays(page, "1000")
      const nodes = () => page.evaluate(() => document.querySelectorAll("#main *").length)
      assert.isBelow(await nodes(), 2_500)
      await entries(page).nth(49).focus()
      // A key that is held comes again before more is drawn.
      await page.evaluate(() => {
        for (const repeat of [false, true])
          document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "j", repeat, bubbles: true }))
      })
      await isCurrent(page, "many-50")
      assert.strictEqual(await entries(page).count(), 100)
      await page.getByRole("button", { name: "Show more (900 left)" }).click()
      await entries(page).nth(149).waitFor()
    }))

  it("says what would be there while nothing is, and that an item is unknown", () =>
    withPage(browser, { expectedErrors: [/404/] }, async (page) => {
      await fakeInbox(page, [])
      await page.goto(`${console.url}/inbox`)
      await page.getByText("Agents' permission requests and questions").waitFor()
      assert.strictEqual(await badge(page).count(), 0)
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "inbox-empty")
      await page.goto(`${console.url}/inbox/gone`)
      await page.getByText("There's no such item").waitFor()
    }))
})

describe("an item on two pages", () => {
  const console = useConsole()
  const browser = useBrowser()
  const board = boardCalls(console)

  it("is decided once: the other page says that somebody was faster, and how", () =>
    withPage(browser, { expectedErrors: [/409/] }, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator(".approval").waitFor()
      await withPage(browser, { size: "phone" }, async (other) => {
        await other.goto(`${console.url}/inbox`)
        await entry(other, "old-reports").waitFor()
        // The page isn't notified in time.
        let decidedFirst = () => {}
        const first = new Promise<void>((resolve) => {
          decidedFirst = resolve
        })
        await page.route("**/resolve", async (route) => {
          await first
          await route.continue()
        })
        await page.locator(".approval").getByRole("button", { name: "Allow once" }).click()
        await entry(other, "old-reports").getByRole("link").click()
        await entry(other, "old-reports").getByRole("button", { name: "Deny" }).click()
        await other.locator("[data-ended]").getByText("Denied").waitFor()
        decidedFirst()
        await page.getByText("Someone was faster. Denied elsewhere.").waitFor()
        await page.locator(".approval").waitFor({ state: "detached" })
        await other.getByRole("link", { name: "All items" }).click()
        await other.getByRole("link", { name: "Decided" }).click()
        await other.locator(".decided", { hasText: "old-reports" }).getByText("Denied").waitFor()
      })
    }))

  it("is opened alone from a notification, and says what became of it when it was answered elsewhere", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me something")
      await page.locator(".question").waitFor()
      const id = await page.locator(".question").getAttribute("data-inbox-item")
      await withPage(browser, { size: "phone" }, async (other) => {
        await other.goto(`${console.url}/inbox/${id}`)
        await other.getByLabel("Leave it as it is").waitFor()
        await page.locator(".question").getByLabel("Blue").check()
        await page.locator(".question").getByRole("button", { name: "Answer" }).click()
        await other.locator("[data-ended]").getByText("Answered: Blue").waitFor()
        await other.getByText(/^In Agent Console · /).waitFor()
      })
    }))

  it("of the board goes when the board decides it, and the board shows what the inbox decided", () =>
    withPage(browser, {}, async (page) => {
      const card = await board.create({ title: "Name the tool", status: "review" })
      await board.call("POST", "proposals", {
        type: "create",
        payload: { title: "Thank the readers" },
        proposedBy: "agent:main"
      })
      await page.goto(`${console.url}/inbox`)
      await entry(page, "Name the tool").getByRole("link", { name: "Name the tool" }).waitFor()
      await entry(page, "Thank the readers").getByRole("button", { name: "Approve" }).click()
      await page.getByText("Approved: “New card: Thank the readers”.").waitFor()
      // Leaving the page makes final what could still be undone.
      await page.goto(`${console.url}/board`)
      await page.locator(".card", { hasText: "Thank the readers" }).waitFor()
      await page.goto(`${console.url}/inbox`)
      await entry(page, "Name the tool").waitFor()
      await board.call("POST", `tasks/${card.id}/approve`, {})
      await entry(page, "Name the tool").waitFor({ state: "detached" })
      await page.getByText("Nothing is waiting for you").waitFor()
    }))
})

describe("the inbox of a demonstration", () => {
  const console = useConsole({ DEMO_SAMPLES: "true" })
  const browser = useBrowser()

  it("has something to decide at once, which the agent goes on with", () =>
    withPage(browser, {}, async (page) => {
      await page.goto(console.url)
      await badge(page).waitFor()
      await page.getByRole("link", { name: "Inbox" }).click()
      const asked = entry(page, "Which colour shall the shed have?")
      await asked.waitFor()
      await entry(page, "Find a name for the new tool").waitFor()
      await keepPicture(page, "inbox-demo")
      await asked.getByLabel("Blue").check()
      await asked.getByRole("button", { name: "Answer" }).click()
      await asked.waitFor({ state: "detached" })
      await page.locator("a[data-session]", { hasText: "Garden shed" }).click()
      await finishedAnswer(page, "Thank you, noted: Blue.")
    }))
})
