import { mkdirSync } from "node:fs"
import { assert } from "@effect/vitest"
import { type Browser, chromium, type Page } from "playwright-core"

/** Where pictures of a run are kept. */
const ARTIFACTS = "test-artifacts"

/** Saves a picture of the page for people. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(ARTIFACTS, { recursive: true })
  await page.screenshot({ path: `${ARTIFACTS}/${name}.png` })
}

/** The browser's engine without its window, at half the processor time; and the whole browser. */
const EXECUTABLES = {
  engine: process.env.CHROMIUM_HEADLESS_SHELL ?? "/usr/bin/chromium-headless-shell",
  whole: process.env.CHROMIUM ?? "/usr/bin/chromium"
}

/**
 * The disabled features of the browser. The first three draw pages in every window for an address bar that nobody
 * sees: a quarter of a test's processor time. The driver turns off the others, but only the last list holds.
 */
const FEATURES_OFF = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch"
]

/** The two sizes of every screen. */
export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 }
} as const

export type Size = keyof typeof SIZES

/** Both sizes in both colour schemes. */
export const LOOKS: ReadonlyArray<{ readonly size: Size; readonly theme: "light" | "dark" }> = [
  { size: "desktop", theme: "light" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "light" },
  { size: "phone", theme: "dark" }
]

export interface PageOptions {
  readonly size?: Size
  readonly theme?: "light" | "dark"
  /** The browser's language and region; `en-GB` unless given. */
  readonly locale?: string
  /** Messages on the browser's console that the test expects. */
  readonly expectedErrors?: ReadonlyArray<RegExp>
  /** Whether the service worker may run; by default it's blocked, because it would respond before a test's own routes. */
  readonly serviceWorkers?: "allow"
  /** Prepares the page before it goes anywhere. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** The parts of a browser that a page needs. */
export type PageOpener = Pick<Browser, "newContext">

/** Starts the browser, with further switches where a test needs them; one per test file. */
export const launchBrowser = (
  more: ReadonlyArray<string> = [],
  kind: keyof typeof EXECUTABLES = "engine"
): Promise<Browser> =>
  chromium.launch({
    executablePath: EXECUTABLES[kind],
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${FEATURES_OFF.join()}`,
      ...more
    ]
  })

/**
 * Opens a page in a fresh profile, runs a test on it, and closes it. The test fails when the page broke its content
 * policy, has an inline script, threw, or wrote an error to the console.
 */
export const withPage = async (browser: PageOpener, options: PageOptions, run: (page: Page) => Promise<void>) => {
  const size = options.size ?? "desktop"
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: options.theme ?? "light",
    hasTouch: size === "phone",
    isMobile: size === "phone",
    locale: options.locale ?? "en-GB",
    serviceWorkers: options.serviceWorkers ?? "block",
    permissions: ["clipboard-read", "clipboard-write"]
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const faults: Array<string> = []
    const note = (text: string) => {
      if (/Service Worker registration blocked by Playwright/.test(text)) return
      if (!(options.expectedErrors ?? []).some((expected) => expected.test(text))) faults.push(text)
    }
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        note(`${message.text()} ${message.location().url}`)
    })
    page.on("pageerror", (error) => note(`thrown: ${error.stack ?? error.message}`))
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
      )
      window.addEventListener("qheal", () => console.error("a render failed and was healed"))
    })
    await options.prepare?.(page)
    try {
      await run(page)
    } catch (failure) {
      await keepPicture(page, `failure-${Date.now()}`)
      throw failure
    }
    assert.strictEqual(await page.locator("script:not([src])").count(), 0, "inline scripts")
    assert.deepStrictEqual(faults, [])
  } finally {
    await context.close()
  }
}
