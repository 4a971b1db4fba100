import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { DEMO_PICTURE } from "../../practice-gateway/src/demo/demoPicture.ts"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { fieldsOf, recordsOf, textOf } from "../../src/contract/looseFields.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, SIZES, type Size, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, idle, openNewSession, say } from "./support/conversation.ts"
import { gatewayCall } from "./support/gatewayHistory.ts"
import { shiftsOf, watchShifts } from "./support/layoutShifts.ts"
import { useBrowser, useConsole, useGateway } from "./support/useConsole.ts"

const SIZE_NAMES: ReadonlyArray<Size> = ["desktop", "phone"]

const HOME = mkdtempSync(join(tmpdir(), "agent-console-history-"))
const FOLDER = join(HOME, "workspace")
mkdirSync(FOLDER)
writeFileSync(join(FOLDER, "red.webp"), Buffer.from(DEMO_PICTURE.data, "base64"))
afterAll(() => rmSync(HOME, { recursive: true, force: true }))

const LONG = "The quick brown fox jumps over the lazy dog again. ".repeat(3_000)
const CUT = "The quick brown fox jumps over the lazy dog again. ".repeat(400)

const agent: DemoAgent = ({ images, text }) => {
  if (images.length > 0) return [{ type: "text", text: "I see." }]
  if (text.includes("very long")) return [{ type: "text", text: LONG, tokenMs: 0 }]
  if (text.includes("long")) return [{ type: "text", text: CUT, tokenMs: 0 }]
  if (text.includes("relative")) return [{ type: "text", text: "Look: ![a red thing](red.webp) there." }]
  if (text.includes("files"))
    return [
      { type: "text", text: "Two files:" },
      { type: "media", path: "/elsewhere/tone.wav", mimeType: "audio/wav", data: "UklGRg==" },
      { type: "media", path: "/elsewhere/paper.pdf", mimeType: "application/pdf", data: "JVBERi0xLjQ=" }
    ]
  return [
    { type: "text", text: "Here it is:" },
    { ...DEMO_PICTURE, type: "media", path: join(FOLDER, "red.webp") },
    // Long enough that nothing that moves then is put down to the person's typing.
    { type: "text", text: `I drew it ${"very ".repeat(60)}slowly.`, tokenMs: 25 }
  ]
}

/** The pictures of a message, once the browser has drawn them: their names and widths. */
const drawn = async (page: Page, message: string): Promise<ReadonlyArray<readonly [string, number]>> => {
  const pictures = page.locator(`${message} .media-frame img`)
  await pictures.first().waitFor()
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].every((img) => img instanceof HTMLImageElement && img.naturalWidth > 0),
    `${message} .media-frame img`
  )
  return pictures.evaluateAll((all) =>
    all.map((img): [string, number] => (img instanceof HTMLImageElement ? [img.alt, img.naturalWidth] : ["", 0]))
  )
}

const attach = async (page: Page) => {
  const chooser = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Attach files" }).click()
  const buffer = Buffer.from(DEMO_PICTURE.data, "base64")
  await (await chooser).setFiles([{ name: "mine.webp", mimeType: "image/webp", buffer }])
  await page.getByRole("img", { name: "mine.webp" }).waitFor()
}

/** What happens in a conversation with a picture of the agent, before and after a reload. */
const agentPicture = (page: Page, url: string, name: string) => async () => {
  await openNewSession(page, url)
  await shiftsOf(page)
  await page.locator("#composer").fill("a picture, please")
  await page.locator("#composer").press("Enter")
  await page.locator(".message.is-assistant", { hasText: "Here it is:" }).waitFor()
  await page.locator(".is-assistant .media-frame.is-pending", { hasText: "Picture" }).waitFor()
  assert.notInclude((await page.locator("#log").textContent()) ?? "", "MEDI")
  await keepPicture(page, `picture-coming-${name}`)
  await idle(page)
  assert.deepStrictEqual(await drawn(page, ".is-assistant"), [["red.webp", 480]])
  assert.notInclude((await page.locator("#log").textContent()) ?? "", "MEDI")
  assert.deepStrictEqual(await shiftsOf(page), [], "nothing moved when the picture came")
  await keepPicture(page, `picture-${name}`)
  await page.reload()
  assert.deepStrictEqual(await drawn(page, ".is-assistant"), [["red.webp", 480]])
  await page.getByRole("button", { name: "Enlarge red.webp" }).click()
  const large = page.getByRole("dialog", { name: "red.webp" }).locator("img.lightbox")
  await large.waitFor()
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>("img.lightbox")?.naturalWidth === 480)
  await keepPicture(page, `picture-large-${name}`)
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  assert.deepStrictEqual(await accessProblems(page), [])
}

describe("the history of a newer gateway", () => {
  const gateway = useGateway({ agent })
  const console = useConsole(() => ({ ...gateway.env, GATEWAY_HOME: HOME }))
  const browser = useBrowser()

  for (const size of SIZE_NAMES) {
    const name = `new-${size}`
    it(`shows the agent's pictures in a place kept free for them, also after a reload (${SIZES[size].width} px)`, () =>
      withPage(browser, { size, prepare: watchShifts }, async (page) => {
        await agentPicture(page, console.url, name)()
      }))

    it(`shows a person's pictures after a reload (${SIZES[size].width} px)`, () =>
      withPage(browser, { size, theme: "dark" }, async (page) => {
        await openNewSession(page, console.url)
        await attach(page)
        await say(page, "what is this")
        await finishedAnswer(page, "I see.")
        assert.deepStrictEqual(await drawn(page, ".is-user"), [["mine.webp", 480]])
        await page.reload()
        assert.deepStrictEqual(await drawn(page, ".is-user"), [["picture", 480]])
        await keepPicture(page, `person-picture-${name}`)
        assert.deepStrictEqual(await accessProblems(page), [])
      }))

    it(`tells what the gateway says itself from what people say (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        const key = await openNewSession(page, console.url)
        await say(page, "files")
        await finishedAnswer(page, "Two files:")
        const words = `[System] Your previous turn was interrupted by a gateway restart. ${"Continue from there. ".repeat(12)}`
        const provenance = { kind: "internal_system", sourceTool: "main_session_restart_recovery" }
        await gateway.run((control) => control.inject(key, words, provenance))
        await gateway.run((control) => control.inject(key, "Greetings.", { kind: "inter_session" }))
        const long = page.locator("details.gateway-note")
        await long.waitFor()
        await page.locator("p.gateway-note", { hasText: "Another session: Greetings." }).waitFor()
        assert.strictEqual(await page.locator(".message.is-user").count(), 1)
        assert.strictEqual(await long.getByRole("button").count(), 0)
        await keepPicture(page, `notes-${name}`)
        await long.locator("summary").click()
        await page.getByText("Your previous turn was interrupted", { exact: false }).last().waitFor()
        await keepPicture(page, `notes-open-${name}`)
        await page.locator("audio").waitFor()
        await page.getByRole("link", { name: "paper.pdf" }).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
      }))
  }

  it("shows a long answer whole when it has ended, and after a reload", () =>
    withPage(browser, {}, async (page) => {
      const key = await openNewSession(page, console.url)
      await say(page, "something very long")
      const text = page.locator(".is-assistant .plain, .is-assistant .markdown")
      await idle(page)
      const whole = (selector: string) =>
        page.waitForFunction(
          ([wanted, length]) =>
            (document.querySelector(String(wanted))?.textContent ?? "").trim().length >= Number(length),
          [selector, LONG.trim().length]
        )
      await whole(".is-assistant .markdown")
      await page.reload()
      await whole(".is-assistant .markdown")
      assert.strictEqual(((await text.textContent()) ?? "").trim(), LONG.trim())
      assert.strictEqual(await page.locator(".cut-note").count(), 0)
      const [, answer] = recordsOf(
        fieldsOf(await gatewayCall(console.url, "chat.history", { sessionKey: key, maxChars: 200_000 })).messages
      )
      assert.include(JSON.stringify(answer), "message too large", "the gateway left it out")
    }))

  it("shows pictures by their path in the workspace", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "relative")
      const answer = await finishedAnswer(page, "Look:")
      const picture = answer.getByRole("img", { name: "a red thing" })
      await picture.waitFor()
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".markdown img")?.naturalWidth === 480)
    }))
})

describe("the history of an older gateway", () => {
  const gateway = useGateway({ generation: "old", agent })
  const console = useConsole(() => ({ ...gateway.env, GATEWAY_HOME: HOME }))
  const browser = useBrowser()

  /** Writes a session's transcript where such a gateway keeps it. */
  const keepTranscript = async (sessionKey: string) => {
    const history = fieldsOf(await gatewayCall(console.url, "chat.history", { sessionKey }))
    const stored = fieldsOf(await gatewayCall(console.url, "sessions.get", { key: sessionKey }))
    const lines = recordsOf(stored.messages).map(({ __openclaw, ...message }) =>
      JSON.stringify({ type: "message", id: textOf(fieldsOf(__openclaw).id), message })
    )
    const folder = join(HOME, "agents/main/sessions")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${textOf(history.sessionId)}.jsonl`), `${lines.join("\n")}\n`)
  }

  for (const size of SIZE_NAMES) {
    const name = `old-${size}`
    it(`shows the agent's pictures from the disk, also after a reload (${SIZES[size].width} px)`, () =>
      withPage(browser, { size, prepare: watchShifts }, async (page) => {
        await agentPicture(page, console.url, name)()
      }))

    it(`shows a person's pictures after a reload where the transcript is, else their place (${SIZES[size].width} px)`, () =>
      withPage(browser, { size, expectedErrors: [/404/] }, async (page) => {
        const key = await openNewSession(page, console.url)
        await attach(page)
        await say(page, "what is this")
        await finishedAnswer(page, "I see.")
        await page.reload()
        await page.locator(".is-user p.media-frame", { hasText: "Couldn't load this picture" }).waitFor()
        await keepPicture(page, `person-picture-missing-${name}`)
        await keepTranscript(key)
        await page.reload()
        assert.deepStrictEqual(await drawn(page, ".is-user"), [["picture", 480]])
        assert.deepStrictEqual(await accessProblems(page), [])
      }))

    it(`offers all of an answer that was cut, and keeps what was streamed (${SIZES[size].width} px)`, () =>
      withPage(browser, { size }, async (page) => {
        await openNewSession(page, console.url)
        await say(page, "something long")
        await idle(page)
        const shown = async () => ((await page.locator(".is-assistant .markdown").textContent()) ?? "").trim()
        assert.strictEqual(await shown(), CUT.trim())
        assert.strictEqual(await page.locator(".cut-note").count(), 0)
        await page.reload()
        await connected(page)
        await page.getByText("The gateway only sent the beginning of this response.").waitFor()
        assert.notInclude(await shown(), "truncated")
        assert.strictEqual((await shown()).length, 12_000)
        await page.getByText("The gateway only sent the beginning of this response.").scrollIntoViewIfNeeded()
        await keepPicture(page, `cut-${name}`)
        assert.deepStrictEqual(await accessProblems(page), [])
        await page.getByRole("button", { name: "Show full response" }).click()
        await page.locator(".cut-note").waitFor({ state: "detached" })
        assert.strictEqual(await shown(), CUT.trim())
      }))
  }

  it("names files that only the gateway's machine has", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await say(page, "files")
      await finishedAnswer(page, "Two files:")
      await page.locator(".chip", { hasText: "tone.wav" }).waitFor()
      await page.locator(".chip", { hasText: "paper.pdf" }).getByText("only on the gateway's machine").waitFor()
      assert.strictEqual(await page.locator(".is-assistant a").count(), 0)
    }))
})
