import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { speechLikeWav } from "../support/voice/sounds.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { idle, openNewSession } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"
import { startVoiceVendor, type VoiceVendor } from "./support/voiceVendor.ts"

const microphone = (page: Page) => page.getByRole("button", { name: "Speak a message" })
const strip = (page: Page, text: string) => page.locator(".voice-status", { hasText: text })
const button = (page: Page, name: string) => page.locator(".voice-strip").getByRole("button", { name, exact: true })
const ownMessage = (page: Page, text: string) => page.locator(".message.is-user .plain", { hasText: text })

const speak = async (page: Page) => {
  await microphone(page).click()
  await page.locator(".voice-time", { hasText: "0:01" }).waitFor()
  await page.getByRole("button", { name: "Finish speaking" }).click()
}

/** How many recordings the browser keeps. */
const keptCount = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("agent-console-recordings")
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const count = await new Promise<number>((resolve, reject) => {
      const counting = db.transaction("recordings").objectStore("recordings").count()
      counting.onsuccess = () => resolve(counting.result)
      counting.onerror = () => reject(counting.error)
    })
    db.close()
    return count
  })

describe("speaking before the speech model is there", () => {
  let vendor: VoiceVendor
  const folder = mkdtempSync(join(tmpdir(), "agent-console-e2e-voice-setup-"))
  beforeAll(async () => {
    writeFileSync(`${folder}/speech.wav`, speechLikeWav())
    vendor = await startVoiceVendor()
  })
  afterAll(async () => {
    await vendor?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const console = useConsole(() => ({ ...vendor.env, STT_PROVIDER: "local", STT_MODEL_BASE_URL: vendor.models }))
  const browser = useBrowser([
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-audio-capture=${folder}/speech.wav`
  ])

  /** Chooses where speech is recognised, which downloads nothing. */
  const recognise = async (provider: "local" | "vendor_a") => {
    const body = JSON.stringify({ provider })
    const answer = await fetch(`${console.url}/api/transcribe/config`, { method: "PUT", body })
    assert.strictEqual(answer.status, 200)
  }

  it("is offered first; what's recorded meanwhile stays through a reload and a failed download, and is sent", () =>
    withPage(browser, {}, async (page) => {
      await recognise("local")
      await openNewSession(page, console.url)
      await microphone(page).click()
      await strip(
        page,
        "Dictation needs a speech model. The console downloads it once from 127.0.0.1 (75 MB)."
      ).waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "voice-setup-offered")
      await button(page, "Not now").click()
      await strip(page, "Dictation needs").waitFor({ state: "hidden" })
      await microphone(page).click()
      await button(page, "Set up dictation").click()
      await strip(page, "Setting up dictation (75 MB).").waitFor()
      await page.locator(".voice-loading", { hasText: "12%" }).waitFor()
      await speak(page)
      const saved = strip(page, "Setting up dictation (75 MB). Your recording is saved and will be sent next.")
      await saved.waitFor()
      await page.locator(".voice-loading", { hasText: "12%" }).waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "voice-setup-saved")
      await page.reload()
      await saved.waitFor()
      vendor.refuseModel()
      await strip(page, "Couldn't download the speech model. Your recording is saved.").waitFor()
      await button(page, "Try again").waitFor()
      // Recognition is possible in another way now.
      await recognise("vendor_a")
      await page.reload()
      await ownMessage(page, "Buy milk please").waitFor()
      await strip(page, "saved").waitFor({ state: "hidden" })
      await idle(page)
      // It was sent once.
      await page.reload()
      await ownMessage(page, "Buy milk please").waitFor()
      assert.strictEqual(await ownMessage(page, "Buy milk please").count(), 1)
    }))

  it("a recording that can't be transcribed is kept, and a discarded one is gone after a reload", () =>
    withPage(browser, { size: "phone", theme: "dark", expectedErrors: [/500 .*\/api\/transcribe$/] }, async (page) => {
      await recognise("vendor_a")
      await page.route("**/api/transcribe", (route) =>
        route.fulfill({ status: 500, json: { error: "transcription_failed", details: "the recogniser failed" } })
      )
      await openNewSession(page, console.url)
      await speak(page)
      await strip(page, "The recogniser failed. Your recording is saved.").waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await keepPicture(page, "voice-setup-failed-phone")
      await page.reload()
      await strip(page, "The recogniser failed. Your recording is saved.").waitFor()
      await button(page, "Discard").click()
      await strip(page, "saved").waitFor({ state: "hidden" })
      await page.reload()
      await microphone(page).waitFor()
      assert.strictEqual(await strip(page, "saved").count(), 0)
    }))

  it("what was said before a reload in the middle of it is kept, and used when a person wants it", () =>
    withPage(browser, {}, async (page) => {
      await recognise("vendor_a")
      await openNewSession(page, console.url)
      await microphone(page).click()
      await page.locator(".voice-time", { hasText: "0:01" }).waitFor()
      while ((await keptCount(page)) === 0) await page.evaluate(() => new Promise(requestAnimationFrame))
      await page.reload()
      await strip(page, "The recording was interrupted. What you said until then is saved.").waitFor()
      await button(page, "Use it").click()
      await ownMessage(page, "Buy milk please").waitFor()
    }))

  it("a recogniser on another machine gets no recording before a person agrees to it, once", () =>
    withPage(browser, {}, async (page) => {
      await recognise("vendor_a")
      await page.route("**/api/voice", async (route) => {
        const response = await route.fetch()
        const recogniser = { name: "OpenAI", isOnline: true, isOff: false }
        await route.fulfill({ json: { ...(await response.json()), recogniser } })
      })
      const uploads: Array<string> = []
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/api/transcribe") uploads.push(request.url())
      })
      await openNewSession(page, console.url)
      await microphone(page).click()
      const ask = strip(page, "Dictation sends what you say to OpenAI, which turns it into text.")
      await ask.waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await button(page, "Not now").click()
      await ask.waitFor({ state: "hidden" })
      await microphone(page).click()
      await button(page, "Allow it").click()
      await page.getByText("Dictation is set up. Press the microphone and speak.").waitFor()
      assert.lengthOf(uploads, 0)
      await speak(page)
      await ownMessage(page, "Buy milk please").waitFor()
      await idle(page)
      await page.reload()
      await speak(page)
      await page.waitForFunction(() => document.querySelectorAll(".message.is-user .plain").length === 2)
      assert.lengthOf(uploads, 2)
    }))

  it("an online voice gets no text before a person agrees to its service", () =>
    withPage(browser, {}, async (page) => {
      const service = { name: "Microsoft", isOnline: true, isOff: false }
      const speakers = { vendor_a: service, vendor_b: service, free: service, alias: service }
      await page.route("**/api/voice", (route) =>
        route.fulfill({ json: { automatic: "vendor_a", speakers, models: service, recogniser: service } })
      )
      await openNewSession(page, console.url)
      await page.locator("#composer").fill("say something short")
      await page.keyboard.press("Enter")
      await idle(page)
      const before = vendor.spoken.length
      await page.getByRole("button", { name: "Read aloud" }).last().click()
      const ask = page.getByText("Reading aloud sends the text to Microsoft, which turns it into speech.")
      await ask.waitFor()
      assert.lengthOf(vendor.spoken, before)
      await page.locator(".notice", { has: ask }).getByRole("button", { name: "Read aloud" }).click()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Read aloud" }).last().click()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor()
      assert.strictEqual(await ask.count(), 0)
    }))
})

describe("the demo", () => {
  const console = useConsole()
  const browser = useBrowser(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])

  it("says why it neither listens nor reads aloud, and sends no request", () =>
    withPage(browser, {}, async (page) => {
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await openNewSession(page, console.url)
      await microphone(page).click()
      await page.getByText("The demo downloads no speech model, so it can't hear you.").waitFor()
      await page.locator("#composer").fill("say something short")
      await page.keyboard.press("Enter")
      await idle(page)
      await page.getByRole("button", { name: "Read aloud" }).last().click()
      await page.getByText("The demo reads nothing aloud, since an online voice would get the text.").waitFor()
      assert.notIncludeMembers(asked, ["POST /api/tts", "POST /api/transcribe", "PUT /api/transcribe/config"])
    }))
})
