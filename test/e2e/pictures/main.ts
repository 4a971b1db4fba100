import { randomBytes, scryptSync } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"
import { launchBrowser, SIZES, type Size } from "../support/browser.ts"
import { startConsole } from "../support/startConsole.ts"
import { contactSheet, type Picture } from "./contactSheet.ts"
import { SCENES, type Scene } from "./scenes.ts"

/**
 * `npm run pictures -- <folder> [scene …]`: every screen of the demo in four themes at both sizes, one sheet for each
 * screen. A scene that can't be played is named at the end, and its picture shows where it stopped.
 */
const [folder = "test-artifacts/pictures", ...wanted] = process.argv.slice(2)
const THEMES = ["light", "dark", "contrast", "midnight"]
const ALL_SIZES: ReadonlyArray<Size> = ["desktop", "phone"]

const passwordHash = () => {
  const salt = randomBytes(32)
  return `${salt.toString("hex")}:${scryptSync("password", salt, 64).toString("hex")}`
}

/** A page in a fresh profile, where nothing blinks and nothing moves. */
const openPage = async (browser: Browser, size: Size): Promise<Page> => {
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: "light",
    reducedMotion: "reduce",
    hasTouch: size === "phone",
    isMobile: size === "phone",
    locale: "en-GB",
    serviceWorkers: "block"
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return page
}

const inEveryTheme = async (page: Page, size: Size): Promise<ReadonlyArray<Picture>> => {
  const pictures: Array<Picture> = []
  for (const theme of THEMES) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    const png = await page.screenshot({ animations: "disabled", caret: "hide" })
    pictures.push({ label: theme, ...SIZES[size], png })
  }
  return pictures
}

await ensureBuilt()
mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
const console_ = await startConsole({ DEMO_SAMPLES: "true" })
const locked = await startConsole({ SVC_AUTH: "true", SVC_PASSWORD_HASH: passwordHash() })
const stopped: Array<string> = []

const pictures = async (scene: Scene, size: Size): Promise<ReadonlyArray<Picture>> => {
  const page = await openPage(browser, size)
  try {
    await scene.play({ page, url: console_.url, lockedUrl: locked.url }).catch((failure: unknown) => {
      stopped.push(`${scene.name} on a ${size}: ${failure instanceof Error ? failure.message : String(failure)}`)
    })
    return await inEveryTheme(page, size)
  } finally {
    await page.context().close()
  }
}

try {
  const sheets = await openPage(browser, "desktop")
  let total = 0
  for (const scene of SCENES) {
    if (wanted.length > 0 && !wanted.includes(scene.name)) continue
    const taken = new Map<Size, ReadonlyArray<Picture>>()
    for (const size of ALL_SIZES) taken.set(size, await pictures(scene, size))
    const desktop = taken.get("desktop") ?? []
    const sheet = await contactSheet(sheets, [desktop.slice(0, 2), desktop.slice(2), taken.get("phone") ?? []])
    total += sheet.byteLength
    writeFileSync(join(folder, `${scene.name}.webp`), sheet)
    console.log(`${scene.name}: ${Math.round(sheet.byteLength / 1024)} KB`)
  }
  console.log(`${Math.round(total / 1024)} KB in ${folder}`)
} finally {
  await Promise.all([browser.close(), console_.stop(), locked.stop()])
}
for (const line of stopped) console.error(line)
if (stopped.length > 0) process.exitCode = 1
