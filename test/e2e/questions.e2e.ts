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

    it(`may have three parts, asked one at a time, one or several answers each, on a ${size}`, () =>
      withPage(browser, look(size), async (page) => {
        await openNewSession(page, console.url)
        await say(page, "ask me more")
        await card(page).getByText("The agent has 3 questions").waitFor()
        const next = card(page).getByRole("button", { name: /^Next/ })
        const part = (name: RegExp) => card(page).getByRole("group", { name })
        const colour = part(/Which colour/)
        await colour.getByLabel("Red (Recommended)").check()
        assert.strictEqual(await part(/./).count(), 1)
        await colour.getByLabel("Your own answer").fill("pink")
        // Own words take its place.
        await colour.getByRole("radio", { name: "Red (Recommended)", checked: false }).waitFor()
        await keepPicture(page, `questions-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await next.click()
        const extras = part(/What else/)
        await extras.getByLabel("A bench").check()
        await extras.getByLabel("A window").check()
        await extras.getByLabel("Your own answer").fill("a bell")
        await next.click()
        const when = part(/When shall/)
        await when.waitFor()
        assert.strictEqual(await when.getByLabel("Your own answer").count(), 0, "only what is offered")
        const send = card(page).getByRole("button", { name: "Send answers" })
        assert.isTrue(await send.isDisabled())
        await when.getByLabel("Next month").check()
        await card(page)
          .getByRole("button", { name: /Colour/ })
          .click()
        assert.strictEqual(await colour.getByLabel("Your own answer").inputValue(), "pink")
        await keepPicture(page, `questions-done-${size}`)
        await send.click()
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
      await field.press("Enter")
      await field.fill("Rosy, please")
      await field.press("Enter")
      await held("what about the roof?").getByText("Waiting until the agent's question is settled").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Send now" }).count(), 0)
      await keepPicture(page, "question-held")
      assert.deepStrictEqual(await accessProblems(page), [])
      await held("Rosy, please").getByRole("button", { name: "Send as answer" }).click()
      await page.locator(".message.is-assistant", { hasText: "Thank you, noted: Rosy, please." }).waitFor()
      await held("Rosy, please").waitFor({ state: "detached" })
      await finishedAnswer(page, "You said: “what about the roof?”")
    }))

  it("has the keyboard, from one part to the next, and the composer is for messages", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "ask me more")
      const isIn = (part: string) =>
        page.waitForFunction(
          (text) => document.activeElement?.closest("fieldset")?.textContent?.includes(text) === true,
          part
        )
      await isIn("Which colour")
      await page.keyboard.type("pink")
      await page.keyboard.press("Tab")
      await isIn("What else")
      await page.keyboard.press("Shift+Tab")
      await isIn("Which colour")
      await page.keyboard.press("Enter")
      await isIn("What else")
      await page.keyboard.press("Space")
      await page.keyboard.type("a bell")
      await keepPicture(page, "questions-next")
      assert.strictEqual(await page.evaluate(() => document.scrollingElement?.scrollTop), 0, "the page stays in place")
      await page.keyboard.press("Tab")
      await isIn("When shall")
      await page.keyboard.press("Space")
      await page.keyboard.press("Enter")
      await finishedAnswer(page, "Colour: pink. Extras: A window, a bell. When: This week.")

      await say(page, "ask me something")
      await card(page).waitFor()
      await page.locator("#composer").fill("what about the roof?")
      await keepPicture(page, "question-typed")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.keyboard.press("Enter")
      await page.locator(".message.is-held", { hasText: "what about the roof?" }).waitFor()
      await card(page).getByLabel("Your own answer").fill("Rosy, please")
      await page.keyboard.press("Enter")
      await page.locator(".message.is-assistant", { hasText: "Thank you, noted: Rosy, please." }).waitFor()
      // The queued message has its turn when the one that asked is over.
      await finishedAnswer(page, "You said: “what about the roof?”")
    }))

  it("leaves the keyboard to a message that is begun while it appears", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      let written = 0
      for (const frames of [1, 2, 3, 4, 5]) {
        // As fast as a person at most who was about to type.
        await page.evaluate((wait) => {
          Object.assign(window, { hasTried: false })
          const seen = new MutationObserver(() => {
            if (document.querySelector(".question") === null) return
            seen.disconnect()
            const write = (left: number): void => {
              if (left > 0) return void requestAnimationFrame(() => write(left - 1))
              const composer = document.querySelector<HTMLTextAreaElement>("#composer")
              if (composer === document.activeElement) {
                composer?.setRangeText("what about", 0, 0, "end")
                composer?.dispatchEvent(new Event("input", { bubbles: true }))
              }
              Object.assign(window, { hasTried: true })
            }
            write(wait)
          })
          seen.observe(document.body, { childList: true, subtree: true })
        }, frames)
        await say(page, "ask me something")
        await card(page).waitFor()
        await page.waitForFunction(() => "hasTried" in window && window.hasTried === true)
        // As many frames as the card has at most until it has taken the keyboard.
        await page.evaluate(
          () =>
            new Promise<void>((done) => {
              const wait = (left: number): void =>
                left === 0 ? done() : void requestAnimationFrame(() => wait(left - 1))
              wait(12)
            })
        )
        const { isInComposer, words } = await page.evaluate(() => ({
          isInComposer: document.activeElement?.id === "composer",
          words: document.querySelector<HTMLTextAreaElement>("#composer")?.value
        }))
        assert.strictEqual(isInComposer, words !== "", `written ${frames} frames after it appeared`)
        if (isInComposer) written++
        await page.locator("#composer").fill("")
        await card(page).getByRole("button", { name: "Skip" }).click()
        await card(page).waitFor({ state: "detached" })
        await idle(page)
      }
      assert.isAbove(written, 0, "somebody was fast enough")
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
