import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, LOOKS, withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"
import { startVoiceVendor, type VoiceVendor } from "./support/voiceVendor.ts"

const open = async (page: Page, url: string) => {
  await page.goto(`${url}/settings/voice`)
  await connected(page)
  await page.getByRole("heading", { name: "Recognition" }).waitFor()
}

describe("the voice settings", () => {
  let vendor: VoiceVendor

  beforeAll(async () => {
    vendor = await startVoiceVendor()
  })
  afterAll(() => vendor?.stop())
  const console = useConsole(() => ({ ...vendor.env, STT_PROVIDER: "local", STT_MODEL_BASE_URL: vendor.models }))
  const browser = useBrowser()

  for (const { size, theme } of LOOKS) {
    it(`axe finds nothing in the ${theme} theme on a ${size}`, () =>
      withPage(browser, { size, theme }, async (page) => {
        await open(page, console.url)
        assert.deepStrictEqual(await accessProblems(page), [])
        await keepPicture(page, `voice-settings-${theme}-${size}`)
        await page.getByRole("heading", { name: "Recognition" }).scrollIntoViewIfNeeded()
        await keepPicture(page, `voice-settings-below-${theme}-${size}`)
      }))
  }

  it("a model is downloaded with its progress; what fails says why and can be tried again", () =>
    withPage(browser, {}, async (page) => {
      await open(page, console.url)
      await page.getByRole("button", { name: "Download tiny (75 MB)" }).click()
      await page.getByText("Downloading tiny…").waitFor()
      await page.getByText("12%").waitFor()
      vendor.refuseModel()
      await page.getByText(/^The download failed: the download server doesn't have the model \(404\)/).waitFor({
        timeout: 20_000
      })
      await page.getByRole("button", { name: "Download tiny (75 MB)" }).waitFor()
    }))

  it("language, voice and phrases are changed on the server and stay after a reload", () =>
    withPage(browser, {}, async (page) => {
      await open(page, console.url)
      await page.getByLabel("Language", { exact: true }).selectOption("de")
      await page.getByRole("heading", { name: "Phrases in German" }).waitFor()
      await page.getByLabel("Wake", { exact: true }).fill("servus\n\n grüß dich \n")
      await page.getByRole("button", { name: "Save phrases" }).click()
      await page.getByText("Phrases saved.").waitFor()
      await page.getByLabel("Man", { exact: true }).check()
      await page.getByLabel("OpenAI voice", { exact: true }).fill("onyx")
      await page.getByLabel("OpenAI voice", { exact: true }).press("Tab")
      await page.getByRole("button", { name: "Preview voice" }).click()
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
      await page.getByRole("button", { name: "Preview voice" }).waitFor()
      assert.strictEqual(vendor.spoken.at(-1), "Hallo! So klinge ich.")
      await page.reload()
      await page.getByRole("heading", { name: "Phrases in German" }).waitFor()
      assert.strictEqual(await page.getByLabel("Wake", { exact: true }).inputValue(), "servus\ngrüß dich")
      assert.isTrue(await page.getByLabel("Man", { exact: true }).isChecked())
      assert.strictEqual(await page.getByLabel("OpenAI voice", { exact: true }).inputValue(), "onyx")
      await page.getByLabel("Language", { exact: true }).selectOption("en")
      await page.getByRole("heading", { name: "Phrases in English" }).waitFor()
    }))
})
