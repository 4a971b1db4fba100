import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

describe("what an agent asks a person", () => {
  const gateway = useGateway({ tokenMs: 0 })
  const console = useConsole(() => gateway.env)
  const browser = useBrowser()
  const card = (page: Page) => page.locator(".question")
  const waits = (page: Page) => page.locator(".activity", { hasText: "Waiting for you" }).waitFor({ state: "attached" })
  const look = (size: Size) => ({ size, theme: size === "phone" ? ("dark" as const) : ("light" as const) })

  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]
  for (const size of sizes) {
    it(`is a card in the conversation, there after a reload, and answered there, on a ${size}`, () =>
      withPage(browser, look(size), async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "ask me something")
        await card(page).getByText("Which colour shall the shed have?").waitFor()
        await waits(page)
        await page.locator('[data-tool="ask_user"]', { hasText: "Waiting for you" }).waitFor()
        await page.waitForFunction(() => document.title.includes("Waiting for you"))
        assert.match((await card(page).getByRole("timer").textContent()) ?? "", /^Expires in 1[45] min$/)
        assert.isTrue(await card(page).getByRole("button", { name: "Answer" }).isDisabled())
        await keepPicture(page, `question-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])

        await page.reload()
        await card(page).getByText("Needs a second coat after a year.").waitFor()
        await waits(page)
        await page.locator(`a[data-session="${key}"].is-waiting`).waitFor({ state: "attached" })
        await card(page).getByLabel("Blue").check()
        await keepPicture(page, `question-chosen-${size}`)
        await card(page).getByRole("button", { name: "Answer" }).click()
        await finishedAnswer(page, "Thank you, noted: Blue.")
        await card(page).waitFor({ state: "detached" })
        await page.locator('[data-tool="ask_user"]', { hasText: "Which colour shall the shed have? → Blue" }).waitFor()
        await page.waitForFunction(() => !document.title.includes("Waiting for you"))
      }))

    it(`may have three parts, one or several answers each, on a ${size}`, () =>
      withPage(browser, look(size), async (page) => {
        await openNewSession(page, console.url)
        await say(page, "ask me more")
        const answer = card(page).getByRole("button", { name: "Answer" })
        const colour = card(page).getByRole("group", { name: /Which colour/ })
        const extras = card(page).getByRole("group", { name: /What else/ })
        const when = card(page).getByRole("group", { name: /When shall/ })
        await colour.getByLabel("Red (Recommended)").check()
        await colour.getByLabel("Your own answer").fill("pink")
        // Own words take its place.
        await colour.getByRole("radio", { name: "Red (Recommended)", checked: false }).waitFor()
        await extras.getByLabel("A bench").check()
        await extras.getByLabel("A window").check()
        await extras.getByLabel("Your own answer").fill("a bell")
        assert.strictEqual(await when.getByLabel("Your own answer").count(), 0, "only what is offered")
        assert.isTrue(await answer.isDisabled())
        await when.getByLabel("Next month").check()
        await answer.scrollIntoViewIfNeeded()
        await keepPicture(page, `questions-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await answer.click()
        await finishedAnswer(page, "Colour: pink. Extras: A window, A bench, a bell. When: Next month.")
      }))
  }

  it("takes words for the answer that follow an option at once", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me more")
      const red = card(page).getByRole("radio", { name: "Red (Recommended)" })
      await red.evaluate((option) => {
        const words = option.closest("fieldset")?.querySelector<HTMLInputElement>("[type=text]")
        if (!(option instanceof HTMLInputElement) || words == null) throw new Error("there's no field")
        option.click()
        words.value = "pink"
        words.dispatchEvent(new Event("input", { bubbles: true }))
      })
      await card(page).getByRole("radio", { name: "Red (Recommended)", checked: false }).waitFor()
      await card(page).getByRole("button", { name: "Skip" }).click()
      await card(page).waitFor({ state: "detached" })
    }))

  it("lets a message that is held wait until it is settled, or be the answer when that is chosen", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me something")
      await card(page).waitFor()
      assert.strictEqual(await page.locator(".typing").count(), 0, "nobody types while a person is waited for")
      const field = page.locator("#composer")
      const held = (text: string) => page.locator(".message.is-held", { hasText: text })
      await field.fill("what about the roof?")
      await page.getByRole("button", { name: "Queue as message" }).click()
      await field.fill("Rosy, please")
      await page.getByRole("button", { name: "Queue as message" }).click()
      await held("what about the roof?").getByText("Waiting until the agent's question is settled").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Send now" }).count(), 0)
      await keepPicture(page, "question-held")
      assert.deepStrictEqual(await accessProblems(page), [])
      await held("Rosy, please").getByRole("button", { name: "Send as answer" }).click()
      await page.locator(".message.is-assistant", { hasText: "Thank you, noted: Rosy, please." }).waitFor()
      await held("Rosy, please").waitFor({ state: "detached" })
      await finishedAnswer(page, "You said: “what about the roof?”")
    }))

  it("takes what is typed as the answer, or queues it as a message", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me something")
      await card(page).waitFor()
      const field = page.locator("#composer")
      await field.fill("what about the roof?")
      await keepPicture(page, "question-typed")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("button", { name: "Queue as message" }).click()
      await page.locator(".message.is-held", { hasText: "what about the roof?" }).waitFor()
      await field.fill("Rosy, please")
      await field.press("Enter")
      await page.locator(".message.is-assistant", { hasText: "Thank you, noted: Rosy, please." }).waitFor()
      await card(page).waitFor({ state: "detached" })
      // The queued message has its turn when the one that asked is over.
      await finishedAnswer(page, "You said: “what about the roof?”")

      await say(page, "ask me more")
      await card(page).waitFor()
      for (const [typed, part] of [
        ["2", "Blue"],
        ["1, a lamp", "A lamp"]
      ] as const) {
        await field.fill(typed)
        await field.press("Enter")
        await card(page).locator(".is-chosen", { hasText: part }).waitFor()
      }
      await field.fill("whenever you like")
      await field.press("Enter")
      await page.getByText("Choose one of the answers on the card.").waitFor()
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "whenever you like")
      await field.fill("this week")
      await field.press("Enter")
      await finishedAnswer(page, "Colour: Blue. Extras: A window, A lamp. When: This week.")
    }))

  for (const size of sizes)
    it(`takes what is typed for one of several parts, and leads on to the next, on a ${size}`, () =>
      withPage(browser, look(size), async (page) => {
        await openNewSession(page, console.url)
        await say(page, "ask me more")
        await card(page).getByText("The agent has 3 questions").waitFor()
        const field = page.locator("#composer")
        await field.fill("pink")
        assert.strictEqual(await page.getByRole("button", { name: "Send as answer" }).count(), 0)
        await keepPicture(page, `questions-typed-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.getByRole("button", { name: "Answer one question" }).first().click()
        await card(page).getByText("2 more questions to answer").waitFor()
        const isIn = (part: string) =>
          page.waitForFunction(
            (text) => document.activeElement?.closest("fieldset")?.textContent?.includes(text) === true,
            part
          )
        await isIn("What else")
        await page.locator(":focus").and(page.getByLabel("A window")).waitFor()
        await keepPicture(page, `questions-next-${size}`)
        assert.strictEqual(
          await page.evaluate(() => document.scrollingElement?.scrollTop),
          0,
          "the page stays in place"
        )
        await field.fill("a bell")
        await field.press("Enter")
        await isIn("When shall")
        await field.fill("whenever you like")
        await page.getByRole("button", { name: "Send as answer" }).first().click()
        await page.getByText("Choose one of the answers on the card.").waitFor()
        await isIn("When shall")
        await card(page).getByLabel("Next month").check()
        await page.getByRole("button", { name: "Answer on the card" }).first().waitFor()
        await field.press("Enter")
        await page.getByText("Every question has an answer. Send them on the card.").last().waitFor()
        await card(page).getByRole("button", { name: "Answer" }).and(page.locator(":focus")).waitFor()
        await page.keyboard.press("Enter")
        await finishedAnswer(page, "Colour: pink. Extras: a bell. When: Next month.")
      }))

  it("leaves every browser once it is answered in one, and the others show the answer", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "ask me something")
      await card(page).waitFor()
      await withPage(browser, { size: "phone" }, async (other) => {
        await other.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await connected(other)
        await card(other).getByLabel("Leave it as it is").check()
        await card(other).getByRole("button", { name: "Answer" }).click()
        await card(other).waitFor({ state: "detached" })
        assert.strictEqual(await other.locator(".question-note").count(), 0)
      })
      await page.locator(".question-note", { hasText: "Answered elsewhere: Leave it as it is" }).waitFor()
      await card(page).waitFor({ state: "detached" })
      await idle(page)
      await keepPicture(page, "question-elsewhere")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.getByRole("button", { name: "Dismiss this note" }).click()
      await page.locator(".question-note").waitFor({ state: "detached" })
    }))

  it("may be skipped, stopped, or left until its time is over", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me something")
      await card(page).getByRole("button", { name: "Skip" }).click()
      await finishedAnswer(page, "No answer came, so I'll decide myself")
      await page.locator('[data-tool="ask_user"]', { hasText: "→ no answer" }).waitFor()

      await say(page, "ask me something")
      await card(page).waitFor()
      await page.getByRole("button", { name: "Stop response" }).click()
      await page.locator(".run-stopped").waitFor()
      await card(page).waitFor({ state: "detached" })
      assert.strictEqual(await page.locator(".question-note").count(), 0)

      await say(page, "ask me quickly")
      await card(page).getByRole("timer").waitFor()
      assert.match((await card(page).getByRole("timer").textContent()) ?? "", /^Expires in \d s$/)
      await page.locator(".question-note", { hasText: "The agent continued without an answer." }).waitFor()
      await finishedAnswer(page, "No answer came, so I'll decide myself")
    }))

  it("may be a secret, which is passed on and kept nowhere", () =>
    withPage(browser, {}, async (page) => {
      const sent: Array<string> = []
      page.on("request", (request) => {
        if (request.postData()?.includes("hunter2") === true) sent.push(request.url())
      })
      await openNewSession(page, console.url)
      await say(page, "I have a secret for you")
      const field = card(page).getByLabel("Secret")
      await field.waitFor()
      assert.strictEqual(await field.getAttribute("type"), "password")
      await card(page).getByText("Saved on the gateway as WEATHER_KEY.").waitFor()
      assert.strictEqual(await page.locator(".composer-answer").count(), 0, "nobody writes it into the open")
      await field.fill("hunter2")
      await keepPicture(page, "question-secret")
      assert.deepStrictEqual(await accessProblems(page), [])
      await card(page).getByRole("button", { name: "Answer" }).click()
      await finishedAnswer(page, "I never saw it")
      assert.lengthOf(sent, 1)
      const kept = await page.evaluate(async () => {
        const databases = await Promise.all(
          (await indexedDB.databases()).map(
            ({ name = "" }) =>
              new Promise((resolve) => {
                const opening = indexedDB.open(name)
                opening.onsuccess = () => {
                  const stores = [...opening.result.objectStoreNames]
                  if (stores.length === 0) return resolve([])
                  const reading = opening.result.transaction(stores)
                  const all = stores.map((store) => reading.objectStore(store).getAll())
                  reading.oncomplete = () => resolve(all.map(({ result }) => result))
                }
              })
          )
        )
        return JSON.stringify([
          { ...localStorage },
          { ...sessionStorage },
          databases,
          document.documentElement.outerHTML
        ])
      })
      assert.notInclude(kept, "hunter2")
      const server = await fetch(`${console.url}/api/inbox`).then((response) => response.text())
      assert.include(server, "WEATHER_KEY")
      assert.notInclude(server, "hunter2")
      await page.goto(`${console.url}/inbox?show=decided`)
      await page.locator(".decided", { hasText: "WEATHER_KEY" }).getByText("Answered: a secret").waitFor()
    }))

  it("waits in the inbox for all sessions and is answered there", () =>
    withPage(browser, {}, async (page) => {
      const first = await openNewSession(page, console.url)
      await say(page, "ask me something")
      await card(page).waitFor()
      await openNewSession(page, console.url)
      assert.strictEqual(await card(page).count(), 0)
      await page.locator(`a[data-session="${first}"].is-waiting`).waitFor()
      await page.getByRole("link", { name: "Inbox" }).click()
      const inbox = page.locator("#main")
      await inbox.getByLabel("Blue").check()
      await keepPicture(page, "question-inbox")
      assert.deepStrictEqual(await accessProblems(page), [])
      await inbox.getByRole("button", { name: "Answer" }).click()
      await inbox.getByText("Nothing is waiting for you").waitFor()
      await page.locator(`a[data-session="${first}"].is-waiting`).waitFor({ state: "detached" })
    }))
})
