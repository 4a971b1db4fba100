import { assert, describe, it } from "@effect/vitest"
import type { CDPSession, Page } from "playwright-core"
import { withPage } from "./support/browser.ts"
import { connected } from "./support/conversation.ts"
import { jsonCalls } from "./support/jsonCalls.ts"
import { SCREENS } from "./support/screens.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** What people write words into. */
const FIELDS =
  'textarea, [contenteditable="true"], input:is(:not([type]), [type="text"], [type="search"], [type="url"], [type="password"], [type="email"])'

/** Keys that fields, lists and dialogs act on, alone and with Ctrl (2), Meta (4) and Shift (8). */
const KEYS = [
  ...["Enter", "Escape", "ArrowDown", "ArrowUp", "PageDown", ",", "/"].map((key) => ({ key, modifiers: 0 })),
  ...[2, 4, 8].map((modifiers) => ({ key: "Enter", modifiers })),
  { key: "s", modifiers: 2 }
]
/** What an input method writes while a word is composed. */
const COMPOSED = "かな"

/** Presses a key that an input method takes: browsers give it this code. */
const pressTaken = async (session: CDPSession, { key, modifiers }: (typeof KEYS)[number]): Promise<void> => {
  const event = { key, code: key, modifiers, windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229 }
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event })
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...event })
}

/** What a key could have changed. */
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const active = document.activeElement
    const name = (element: Element | null) =>
      element === null ? "" : `${element.tagName} ${element.id} ${element.getAttribute("aria-label") ?? ""}`
    return JSON.stringify({
      // What is searched for follows into the rest of the address after a pause.
      path: location.pathname,
      focus: name(active),
      value: active !== null && "value" in active ? active.value : active?.textContent,
      open: [...document.querySelectorAll("dialog[open], :popover-open, form, .chat-search")].map(name),
      fields: document.querySelectorAll("textarea, input").length,
      marked: [...document.querySelectorAll("[aria-selected=true], .is-marked")].map(({ textContent }) => textContent)
    })
  })

/** Numbers the fields in sight; their names. */
const numbered = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(
    (fields) =>
      [...document.querySelectorAll<HTMLElement>(fields)]
        .filter((field) => field.checkVisibility() && !field.matches(":disabled, [readonly]"))
        .map((field, index) => {
          field.dataset.walked = String(index)
          return `${field.id} ${field.getAttribute("aria-label") ?? field.className}`
        }),
    FIELDS
  )

/** Focuses a numbered field; returns whether it's empty, or null if it was removed or can't be focused. */
const focusOn = (page: Page, index: number): Promise<boolean | null> =>
  page.evaluate((number) => {
    const field = document.querySelector<HTMLElement>(`[data-walked="${number}"]`)
    field?.focus()
    if (field === null || document.activeElement !== field) return null
    return ("value" in field ? field.value : field.textContent) === ""
  }, index)

/** Writes a message anew, key by key. */
const write = async (page: Page, text: string): Promise<void> => {
  await page.locator("#composer").fill("")
  await page.locator("#composer").pressSequentially(text)
}

/** Places with fields besides the screens themselves: an address, what opens them there, and what is there then. */
const PLACES: ReadonlyArray<readonly [path: string, open: (page: Page) => Promise<void>, there: string]> = [
  ["/board?panel=new", async () => {}, "#task-title"],
  ["/board?panel=settings", async () => {}, "dialog[open] input"],
  ["/board?layout=list&panel=view", async () => {}, "dialog[open] input"],
  ["/board", (page) => page.locator(".board .card-title").first().click(), "#task-title"],
  ["/operations/crons", (page) => page.keyboard.press("n"), "#job-name"],
  ["/knowledge/memory", (page) => page.keyboard.press("n"), "dialog[open] textarea"],
  ["/knowledge/memory", (page) => page.locator("[data-edit-item]").first().click(), ".memory-edit textarea"],
  ["/knowledge/files", (page) => page.keyboard.press("n"), "dialog[open] input"],
  ["/knowledge/documents/soul", (page) => page.keyboard.press("e"), ".cm-content"],
  ["/settings/gateways", (page) => page.locator("#gateway-add").click(), ".gateway-new input"],
  ["/chat/agent:main:main", (page) => page.keyboard.press("Control+k"), ".palette-entry"],
  ["/chat/agent:main:main", (page) => page.keyboard.press("Control+."), "input[aria-label='Search this conversation']"],
  ["/chat/agent:main:main", (page) => page.keyboard.press("Control+;"), "#model-list [role=option]"],
  ["/chat/agent:main:main", (page) => write(page, "/mo"), ".command-list [role=option]"],
  ["/chat/agent:main:main", (page) => write(page, "@SO"), ".command-list [role=option]"]
]

describe("while an input method composes a word", () => {
  const console = useConsole()
  const browser = useBrowser()

  it("no field and nothing behind it acts on its keys", { timeout: 200_000 }, () =>
    withPage(browser, {}, async (page) => {
      const send = jsonCalls(console)
      await send("POST", "/api/kanban/tasks", { title: "Paint the door", labels: ["outside"] })
      await send("POST", "/api/memories", { text: "Tea at four", section: "Habits", category: "fact", importance: 0.5 })
      await send("PUT", "/api/workspace/soul", { content: "Be kind." })
      const session = await page.context().newCDPSession(page)
      const acted: Array<string> = []
      const walked = new Set<string>()
      const seen = new Set<string>()
      const sent: Array<string> = []
      page.on("request", (request) => {
        if (request.method() !== "GET" && !request.url().endsWith("/api/drafts")) sent.push(request.url())
      })
      /** Presses all keys where the focus is, and notes whether one of them did something. */
      const pressAll = async (place: string): Promise<void> => {
        const [before, sentBefore] = [await stateOf(page), sent.length]
        for (const press of KEYS) await pressTaken(session, press)
        const after = await stateOf(page)
        if (after !== before || sent.length > sentBefore)
          acted.push(`${place}: ${before} → ${after} ${sent.slice(sentBefore)}`)
      }
      const walk = async (path: string, isOpened: boolean): Promise<void> => {
        for (const [index, name] of (await numbered(page)).entries()) {
          // What a screen has is the same when something is opened over it, but for the message's lists.
          if (seen.has(name) && !(isOpened && name.startsWith("composer "))) continue
          const isEmpty = await focusOn(page, index)
          if (isEmpty === null) continue
          if (!isOpened) seen.add(name)
          walked.add(name)
          if (isEmpty) await page.keyboard.type("m")
          // What was typed has been looked up and drawn.
          await page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true))))
          await pressAll(`${path} ${name}`)
          await session.send("Input.imeSetComposition", { text: COMPOSED, selectionStart: 2, selectionEnd: 2 })
          await page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true))))
          await pressAll(`${path} ${name}, composing`)
          await session.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 })
        }
      }
      for (const [path, open, there] of [...SCREENS.map((screen) => [screen, null, "h1"] as const), ...PLACES]) {
        await page.goto(`${console.url}${path}`)
        await connected(page)
        await page.waitForFunction(() => document.querySelector(".skeleton, main .state.is-loading") === null)
        await open?.(page)
        await page.locator(`${there}:visible`).first().waitFor()
        await walk(path, open !== null)
      }
      assert.deepStrictEqual(acted, [])
      assert.isAtLeast(walked.size, 25, [...walked].join("\n"))
    })
  )

  const openPalette = async (page: Page) => {
    await page.goto(`${console.url}/chat/agent:main:main`)
    await connected(page)
    await page.locator("#composer").waitFor()
    await page.keyboard.press("Control+k")
    const palette = page.getByRole("dialog", { name: "Command palette" })
    await palette.waitFor()
    return palette
  }

  it("the same keys act once the word is written", () =>
    withPage(browser, {}, async (page) => {
      const session = await page.context().newCDPSession(page)
      const palette = await openPalette(page)
      await session.send("Input.imeSetComposition", { text: "voice settings", selectionStart: 14, selectionEnd: 14 })
      await pressTaken(session, { key: "Escape", modifiers: 0 })
      await pressTaken(session, { key: "Enter", modifiers: 0 })
      await session.send("Input.insertText", { text: "voice settings" })
      assert.isTrue(await palette.isVisible())
      await page.getByRole("option", { name: /^Voice settings/ }).waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/settings\/voice$/)
    }))

  it("a page that doesn't keep them back acts, so that the test can see it", () =>
    withPage(
      browser,
      {
        prepare: async (page) => {
          await page.addInitScript(() => {
            const listen = window.addEventListener.bind(window)
            const deaf = (type: string, ...rest: [EventListenerOrEventListenerObject, object?]) =>
              type === "keydown" ? undefined : listen(type, ...rest)
            Object.assign(window, { addEventListener: deaf })
          })
        }
      },
      async (page) => {
        const session = await page.context().newCDPSession(page)
        const palette = await openPalette(page)
        await pressTaken(session, { key: "Escape", modifiers: 0 })
        await palette.waitFor({ state: "detached" })
      }
    ))
})
