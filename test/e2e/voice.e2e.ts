import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Page } from "playwright-core"
import { readWav } from "../../src/services/voice/audio/wav.ts"
import { speechLikeWav } from "../support/voice/sounds.ts"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, type Size, withPage } from "./support/browser.ts"
import { idle, openNewSession } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"
import { startVoiceVendor, type VoiceVendor } from "./support/voiceVendor.ts"

const microphone = (page: Page) => page.getByRole("button", { name: "Speak a message" })
const finish = (page: Page) => page.getByRole("button", { name: "Finish speaking" })
const secondsShown = (page: Page) => page.locator(".voice-time", { hasText: "0:01" })
const ownMessage = (page: Page, text: string) => page.locator(".message.is-user .plain", { hasText: text })

describe("speaking with the agent", () => {
  let vendor: VoiceVendor
  const folder = mkdtempSync(join(tmpdir(), "agent-console-e2e-voice-"))

  beforeAll(async () => {
    writeFileSync(`${folder}/speech.wav`, speechLikeWav())
    vendor = await startVoiceVendor()
  })
  afterAll(async () => {
    await vendor?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const console = useConsole(() => vendor.env)
  const browser = useBrowser([
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-audio-capture=${folder}/speech.wav`
  ])

  it("a press records real webm/opus, a second one sends its words, and the answer is read out", () =>
    withPage(browser, {}, async (page) => {
      const before = vendor.recordings.length
      await openNewSession(page, console.url)
      await microphone(page).click()
      await page.getByText("Speak now").waitFor()
      await secondsShown(page).waitFor()
      await page.waitForFunction(
        () => Number(document.querySelector<HTMLElement>(".voice-meter")?.style.getPropertyValue("--level")) > 0.05
      )
      await finish(page).click()
      await ownMessage(page, "Buy milk please").waitFor()
      assert.strictEqual(await ownMessage(page, "Buy milk please").textContent(), "Buy milk please")
      const recording = vendor.recordings[before] ?? Buffer.alloc(0)
      assert.isAbove(recording.indexOf(Buffer.from([0x1a, 0x45, 0xdf, 0xa3])), 0)
      assert.isAbove(recording.indexOf("A_OPUS"), 0)
      assert.include(recording.toString("latin1"), "audio/webm")
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor({ state: "detached" })
      assert.isAbove((vendor.spoken.at(-1) ?? "").length, 0)
      assert.notInclude(vendor.spoken.at(-1), "[tts:")
      // After a reload, the spoken words are shown without the marks for the agent.
      await idle(page)
      await page.reload()
      await ownMessage(page, "Buy milk please").waitFor()
      assert.strictEqual(await ownMessage(page, "Buy milk please").textContent(), "Buy milk please")
    }))

  it("a server that can't convert gets the recording as WAV, and from then on at once", () =>
    withPage(browser, { expectedErrors: [/500 .*\/api\/transcribe$/] }, async (page) => {
      const uploads: Array<Buffer> = []
      const isWav = (upload: Buffer) => upload.indexOf("RIFF") > 0
      await page.route("**/api/transcribe/config", async (route) => {
        const answer = await (await route.fetch()).json()
        await route.fulfill({ json: { ...answer, provider: "local", modelReady: true } })
      })
      await page.route("**/api/transcribe", (route) => {
        const upload = route.request().postDataBuffer() ?? Buffer.alloc(0)
        uploads.push(upload)
        return isWav(upload)
          ? route.fulfill({ json: { text: `Heard ${uploads.length}` } })
          : route.fulfill({ status: 500, json: { error: "converter_missing", details: "couldn't run ffmpeg" } })
      })
      await openNewSession(page, console.url)
      for (const words of ["Heard 2", "Heard 3"]) {
        await microphone(page).click()
        await secondsShown(page).waitFor()
        await finish(page).click()
        await ownMessage(page, words).waitFor()
        await idle(page)
      }
      assert.deepStrictEqual(uploads.map(isWav), [false, true, true])
      for (const upload of uploads.slice(1)) {
        const sound = Result.getOrThrow(readWav(upload.subarray(upload.indexOf("RIFF"))))
        assert.isAbove(sound.length, 16_000)
        const samples = sound.pcm(0, sound.length)
        assert.isTrue(samples.some((byte) => byte !== 0))
      }
    }))

  it("a typed message is answered in silence", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      const spoken = vendor.spoken.length
      await page.locator("#composer").fill("hello")
      await page.locator("#composer").press("Enter")
      await page.locator(".message.is-assistant").first().waitFor()
      await idle(page)
      assert.strictEqual(vendor.spoken.length, spoken)
    }))

  it("any response is read aloud when it's asked to be", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await page.locator("#composer").fill("say **three** short words")
      await page.keyboard.press("Enter")
      await idle(page)
      const before = vendor.spoken.length
      await page.getByRole("button", { name: "Read aloud" }).last().click()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor()
      await page.getByRole("button", { name: "Stop reading aloud" }).waitFor({ state: "detached" })
      assert.lengthOf(vendor.spoken, before + 1)
      assert.match(vendor.spoken.at(-1) ?? "", /three\s+short words/)
      assert.notInclude(vendor.spoken.at(-1), "*")
    }))

  it("held on a phone, by a finger", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await openNewSession(page, console.url)
      await microphone(page).hover()
      await page.mouse.down()
      await secondsShown(page).waitFor()
      await page.mouse.up()
      await ownMessage(page, "Buy milk please").waitFor()
    }))

  it("by the keyboard alone: Alt+M begins and ends, Esc drops", () =>
    withPage(browser, {}, async (page) => {
      await openNewSession(page, console.url)
      await microphone(page).waitFor()
      const before = vendor.recordings.length
      await page.keyboard.press("Alt+m")
      await page.getByText("Speak now").waitFor()
      await page.keyboard.press("Escape")
      await page.getByText("Speak now").waitFor({ state: "hidden" })
      assert.strictEqual(vendor.recordings.length, before)
      await page.keyboard.press("Alt+m")
      await secondsShown(page).waitFor()
      await page.keyboard.press("Alt+m")
      await ownMessage(page, "Buy milk please").waitFor()
    }))

  it("a microphone that is blocked is explained, and nothing hangs", () =>
    withPage(browser, {}, async (page) => {
      await page.addInitScript(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"))
      })
      await openNewSession(page, console.url)
      await microphone(page).click()
      await page.getByText("The microphone is blocked for this page.").waitFor()
      await microphone(page).waitFor()
    }))

  it("hands-free: the wake phrase, some words, the stop phrase", () =>
    withPage(browser, {}, async (page) => {
      await page.addInitScript(() => localStorage.setItem("agent-console:voice", '{"handsFree":true}'))
      await openNewSession(page, console.url)
      vendor.words = ["nothing for you", "Hey agent, buy", "bread and butter.", "That's all.", "silence"]
      await page.getByRole("button", { name: "Hands-free listening" }).click()
      await page.getByText("Waiting for the wake phrase").waitFor()
      await page.getByText("Listening. Say a stop phrase to finish").waitFor()
      await ownMessage(page, "buy bread and butter.").waitFor({ timeout: 30_000 })
      await page.getByText("Waiting for the wake phrase").waitFor()
      await page.getByRole("button", { name: "Hands-free listening" }).click()
      await page.getByText("Waiting for the wake phrase").waitFor({ state: "hidden" })
      vendor.words = ["Buy milk please"]
    }))

  const looks: ReadonlyArray<{ readonly size: Size; readonly theme: "light" | "dark" }> = [
    { size: "desktop", theme: "light" },
    { size: "phone", theme: "dark" }
  ]
  for (const { size, theme } of looks) {
    it(`axe finds nothing while it records, ${theme} on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        await openNewSession(page, console.url)
        await microphone(page).click()
        await secondsShown(page).waitFor()
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `voice-recording-${theme}-${size}`)
        await page.getByRole("button", { name: "Discard recording" }).click()
        await microphone(page).waitFor()
      }))
  }
})
