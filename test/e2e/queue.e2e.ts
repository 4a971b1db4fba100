import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { recordsOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { assertEqualsHistory } from "./support/equalsHistory.ts"
import { gatewayCall } from "./support/gatewayHistory.ts"
import { makePng } from "./support/makePng.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

describe("messages written while the agent works", () => {
  const console = useConsole()
  const browser = useBrowser()
  const sizes: ReadonlyArray<Size> = ["desktop", "phone"]

  const working = async (page: Page, text = "slow please", shown = "Step 1"): Promise<string> => {
    const key = await openNewSession(page, console.url)
    await say(page, text)
    await page.locator(".message.is-assistant", { hasText: shown }).waitFor()
    return key
  }
  const held = (page: Page, text?: string) =>
    page.locator(".message.is-held", text === undefined ? {} : { hasText: text })
  const queue = async (page: Page, ...texts: ReadonlyArray<string>) => {
    for (const text of texts) {
      await say(page, text)
      await held(page, text).waitFor()
    }
  }
  const queueIs = (page: Page, ...texts: ReadonlyArray<string>) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll(".message.is-held .bubble")].map(({ textContent }) => textContent).join() ===
        wanted,
      texts.join()
    )
  const composerIs = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector("textarea")?.value === wanted, text)
  const stop = async (page: Page, choice?: string) => {
    await page.getByRole("button", { name: "Stop response" }).click()
    if (choice !== undefined)
      await page.getByRole("dialog", { name: "Stop the response?" }).getByRole("button", { name: choice }).click()
    await page.locator(".run-stopped").first().waitFor()
  }
  const more = async (page: Page, text: string, action: string) => {
    await held(page, text).getByRole("button", { name: "More for this message" }).click()
    await page.getByRole("menuitem", { name: action }).click()
  }

  for (const size of sizes)
    it(`are edited in their place, moved, and taken back, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        // However long all of this takes, the response is still running.
        await working(page, "hang please", "until you press Stop")
        await queue(page, "number one", "number two", "number three")
        await keepPicture(page, `held-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])

        await held(page, "number two").getByRole("button", { name: "Edit" }).click()
        const field = page.getByRole("form", { name: "Edit the waiting message" }).getByRole("textbox")
        await field.fill("number two and a half")
        await keepPicture(page, `held-edit-${size}`)
        await field.press("Control+Enter")
        await queueIs(page, "number one", "number two and a half", "number three")

        const handle = (text: string) => held(page, text).getByRole("button", { name: /^Move this message/ })
        await handle("number three").focus()
        await page.keyboard.press("ArrowUp")
        await queueIs(page, "number one", "number three", "number two and a half")
        await page.waitForFunction(() => document.activeElement?.matches(".queue-handle") === true)
        await page.keyboard.press("ArrowUp")
        await queueIs(page, "number three", "number one", "number two and a half")

        // By the handle, from the last place to the first.
        const from = await handle("number two and a half").boundingBox()
        const to = await handle("number three").boundingBox()
        if (from === null || to === null) throw new Error("a handle isn't drawn")
        await page.mouse.move(from.x + 10, from.y + 10)
        await page.mouse.down()
        await page.mouse.move(from.x + 10, to.y - 80, { steps: 8 })
        await keepPicture(page, `held-drag-${size}`)
        await page.mouse.up()
        await queueIs(page, "number two and a half", "number three", "number one")

        await more(page, "number three", "Take back")
        await composerIs(page, "number three")
        await queueIs(page, "number two and a half", "number one")
        await page.locator("#composer").fill("")
        await stop(page, "Stop and take back")
        await composerIs(page, "number two and a half\nnumber one")
        await queueIs(page)
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
      }))

  it("outlive the page they were written on: another browser has the same queue, and they go out in order, once each", () =>
    withPage(browser, { size: "phone" }, async (phone) => {
      const key = await working(phone)
      await queue(phone, "first of three", "second of three", "third of three")
      await phone.goto("about:blank")
      await withPage(browser, {}, async (page) => {
        await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await connected(page)
        await queueIs(page, "first of three", "second of three", "third of three")
        await held(page, "third of three").getByText("Waiting for the current response").waitFor()
        await stop(page, "Stop, keep the queue")
        await finishedAnswer(page, "third of three")
        await queueIs(page)
        await assertEqualsHistory(page, console.url, key)
        const asked = await page.locator(".message.is-user .bubble").allTextContents()
        assert.deepStrictEqual(asked, ["slow please", "first of three", "second of three", "third of three"])
        // Every one of them was read.
        assert.strictEqual(await page.locator(".message.is-user").getByText("Read by the agent").count(), 4)
      })
    }))

  it("bring their pictures along to another browser, which can take them back", () =>
    withPage(browser, { size: "phone" }, async (phone) => {
      const key = await working(phone)
      const image = { name: "sky.png", mimeType: "image/png", buffer: makePng(16, 16, [90, 160, 220]) }
      await phone.locator('input[type="file"]').setInputFiles(image)
      await phone.locator(".composer-attached img").waitFor()
      await queue(phone, "what is this?")
      await withPage(browser, {}, async (page) => {
        await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await connected(page)
        const picture = held(page).locator("img")
        await picture.waitFor()
        await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".is-held img")?.naturalWidth === 16)
        await more(page, "what is this?", "Take back")
        await composerIs(page, "what is this?")
        await page.locator(".composer-attached img").waitFor()
        await queueIs(phone)
        await page.locator("#composer").press("Enter")
        await held(page).locator("img").waitFor()
        await stop(page, "Stop, keep the queue")
        await finishedAnswer(page, "your image arrived safely")
      })
      await finishedAnswer(phone, "your image arrived safely")
    }))

  for (const size of sizes)
    it(`leave it to the person where nobody knows whether they arrived, on a ${size}`, () =>
      withPage(browser, { size }, async (page) => {
        const decided: Array<string> = []
        let items: ReadonlyArray<object> = []
        await page.route(/\/api\/outbox(\?|$)/, async (route) => {
          if (route.request().method() === "GET") await route.fulfill({ json: { items } })
          else await route.fallback()
        })
        await page.route(/\/api\/outbox\/[^/]+\/resolve$/, async (route) => {
          decided.push(`${route.request().url().split("/").at(-2)} ${route.request().postData()}`)
          await route.fulfill({ json: { ok: true } })
        })
        const key = await openNewSession(page, console.url)
        items = ["first", "second"].map((text, position) => ({
          id: text,
          runId: text,
          gatewayId: "primary",
          sessionKey: key,
          text: `did the ${text} arrive?`,
          mode: "next",
          position,
          createdAt: Date.now(),
          state: "unsure",
          error:
            "The connection broke while this was being sent, and the gateway doesn't say whether it has it. Look at the conversation, then decide."
        }))
        await page.reload()
        await connected(page)
        const message = (text: string) => page.locator(".message.is-unsure", { hasText: text })
        await message("first").getByText("Look at the conversation, then decide.").waitFor()
        await keepPicture(page, `unsure-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await message("second").getByRole("button", { name: "Send again" }).click()
        await message("first").getByRole("button", { name: "It arrived" }).click()
        await message("first").waitFor({ state: "detached" })
        assert.deepStrictEqual(decided, ['second {"action":"again"}', 'first {"action":"sent"}'])
      }))

  it("go to the running answer at once on request", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "Please approve something")
      await page.locator('[data-tool="exec"].is-running').waitFor()
      await queue(page, "and mind the step")
      await held(page).getByRole("button", { name: "Send now" }).click()
      const handed = page.locator(".message.is-queued:not(.is-held)")
      await handed.getByText("Sent to the agent, which reads it at its next step").waitFor()
      const [approval] = recordsOf(await gatewayCall(console.url, "exec.approval.list", {}))
      await gatewayCall(console.url, "exec.approval.resolve", { id: approval?.id, decision: "allow-once" })
      await finishedAnswer(page, "Noted while I work: “and mind the step”.")
      await idle(page)
      assert.strictEqual(await page.locator(".message.is-held, .message.is-queued").count(), 0)
      await assertEqualsHistory(page, console.url, key)
    }))

  it("take the place of the running answer on request, before what else waits", () =>
    withPage(browser, {}, async (page) => {
      await working(page)
      await queue(page, "this one later", "this one instead")
      await more(page, "this one instead", "Stop and send")
      await page.locator(".run-stopped").waitFor()
      await finishedAnswer(page, "this one later")
      const asked = await page.locator(".message.is-user .bubble").allTextContents()
      assert.deepStrictEqual(asked, ["slow please", "this one instead", "this one later"])
    }))

  it("wait for a time without holding up others", () =>
    withPage(browser, {}, async (page) => {
      await working(page)
      await queue(page, "not before tomorrow", "as soon as possible")
      await more(page, "not before tomorrow", "Send at…")
      const form = page.getByRole("form", { name: "Send at a time" })
      await form.getByLabel("Send at").fill("2020-01-01T10:00")
      await form.getByRole("button", { name: "Set the time" }).click()
      await form.getByText("Choose a time in the future.").waitFor()
      await form.getByLabel("Send at").fill("2099-05-06T10:30")
      await keepPicture(page, "held-time")
      await form.getByRole("button", { name: "Set the time" }).click()
      await held(page, "not before tomorrow")
        .getByText(/^Scheduled for .*10:30/)
        .waitFor()
      await stop(page, "Stop, keep the queue")
      await finishedAnswer(page, "as soon as possible")
      await queueIs(page, "not before tomorrow")
      await more(page, "not before tomorrow", "Send without waiting")
      await finishedAnswer(page, "not before tomorrow")
      await queueIs(page)
    }))

  /** The installed app has all of its parts here. */
  const installed = (page: Page) =>
    page.evaluate(async () => {
      const worker = await fetch("/sw.js").then((answer) => answer.text())
      const paths: ReadonlyArray<string> = JSON.parse(/const LATER = (.*)/.exec(worker)?.[1] ?? "[]")
      const missing = async () => (await Promise.all(paths.map((path) => caches.match(path)))).includes(undefined)
      while (await missing()) await new Promise((resolve) => setTimeout(resolve, 50))
    })

  for (const size of sizes)
    it(`stay in the browser while the console is out of reach, and go to it once, on a ${size}`, () =>
      withPage(browser, { size, serviceWorkers: "allow", expectedErrors: [/net::ERR_/] }, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "hello there")
        await finishedAnswer(page, "hello there")
        await installed(page)
        const context = page.context()
        await context.setOffline(true)
        await say(page, "written in a tunnel")
        await page.locator('input[type="file"]').setInputFiles({
          name: "tunnel.png",
          mimeType: "image/png",
          buffer: makePng(8, 8, [20, 120, 200])
        })
        await page.locator(".composer-attached img").waitFor({ timeout: 8_000 })
        await say(page, "with a picture of it")
        const waiting = page.locator(".message.is-sending", { hasText: "written in a tunnel" })
        await waiting.getByText("Sends when you're back online").waitFor()
        await keepPicture(page, `offline-${size}`)
        // Another page of the same browser hands it over.
        await page.goto("about:blank")
        await context.setOffline(false)
        const next = await context.newPage()
        await next.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
        await connected(next)
        await finishedAnswer(next, "with a picture of it")
        const asked = await next.locator(".message.is-user .bubble").allTextContents()
        assert.deepStrictEqual(asked, ["hello there", "written in a tunnel", "with a picture of it"])
        assert.strictEqual(await next.locator(".message.is-user img").count(), 1)
      }))
})
