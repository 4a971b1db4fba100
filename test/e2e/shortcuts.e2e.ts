import { existsSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { boardCalls } from "./support/boardCalls.ts"
import { withPage } from "./support/browser.ts"
import { FIREFOX, type Firefox, startFirefox } from "./support/firefox.ts"
import { type Hands, handsOf, until } from "./support/hands.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

/** What shows that a shortcut worked. */
type Effect = (hands: Hands) => Promise<void>
/** What a shortcut of the help brings about; null where another test presses it, in its own place. */
type Effects = Readonly<Record<string, Effect | null>>

const says = ({ selector, text }: { readonly selector: string; readonly text: string }) =>
  [...document.querySelectorAll(selector)].some(
    (one) => one.textContent?.includes(text) === true && one.getClientRects().length > 0
  )
const isShown = (selector: string) =>
  [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length > 0)
const isGone = (selector: string) => document.querySelector(selector) === null
const isThere = (selector: string) => document.querySelector(selector) !== null
const isFocused = (selector: string) => document.activeElement?.matches(selector) === true

const isElsewhere = (chat: string) => location.pathname.startsWith("/chat/") && location.pathname !== chat

const saying =
  (selector: string, text: string): Effect =>
  (hands) =>
    until(hands, says, { selector, text })
const shown =
  (selector: string): Effect =>
  (hands) =>
    until(hands, isShown, selector)
const focused =
  (selector: string): Effect =>
  (hands) =>
    until(hands, isFocused, selector)
const dialog = shown("dialog[open]")

const EVERYWHERE: Effects = {
  "G C": shown("#composer"),
  "G B": saying("h1", "Board"),
  "G I": saying("h1", "Inbox"),
  "G K": saying("h1", "Knowledge"),
  "G O": saying("h1", "Operations"),
  "G /": saying("h1", "Search"),
  "G S": saying("h1", "Settings"),
  "G W": saying(".notice", "Nothing waits for you."),
  "G N": (hands) => until(hands, isElsewhere, "/chat/agent:main:main"),
  "/": focused("[data-search]"),
  "Ctrl K": dialog,
  "?": dialog,
  "Ctrl /": focused(".sessions *"),
  "Ctrl B": shown("[data-sidebar=collapsed]")
}
/** The message field's own keys, which the tests of the composer press. */
const WRITING: Effects = { Enter: null, "Shift Enter": null, "↑": null, Esc: null }

/** The keys of the list of sessions, which the tests of the sessions press. */
const SESSION_LIST: Effects = {
  "↓": null,
  "→": null,
  P: null,
  E: null,
  M: null,

  Delete: null,
  "Shift F10": null
}

interface Place {
  readonly path: string
  /** What is there once the screen and all of its own keys are. */
  readonly ready: string
  /** What is there of it before its own keys are; by default they come with it. */
  readonly drawn?: string
  readonly own: Effects
}

const SCREENS: ReadonlyArray<Place> = [
  {
    path: "/chat/agent:main:main",
    ready: ".voice-button",
    drawn: "#composer",
    own: {
      "Ctrl .": focused("input[type=search], .search-bar input"),
      "Ctrl ;": shown("[role=dialog]"),
      // Without a microphone it says so, so anything but rest is an effect.
      "Alt M": shown(".voice-button:not(.is-idle), .notice")
    }
  },
  {
    path: "/board",
    ready: "[data-task]",
    own: {
      C: dialog,
      F: focused("[data-board-search]"),
      P: saying(".inbox-kinds [aria-current]", "Proposals"),
      // The keys of a card, which the board's tests press.
      "↓": null,
      "Alt ↓": null,
      Enter: null,
      M: null,
      X: null,
      W: null,
      Shift: null,
      Delete: null
    }
  },
  {
    path: "/knowledge/memory",
    ready: ".memory-head, .memory, main .place",
    own: { N: dialog, F: focused("input[type=search]") }
  },
  {
    path: "/search",
    // The screen takes the focus itself.
    ready: "[data-search]:focus",
    // The keys of the results, which the search's tests press.
    own: { "↓": null, "↑": null, Enter: null }
  },
  { path: "/operations/crons", ready: ".crons, main h2", own: { N: dialog } }
]

/** What keys leave behind, and the keys that take it away. */
const LEFTOVERS: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["dialog[open]", ["Escape"]],
  ["[data-sidebar=collapsed]", ["Control", "b"]]
]

/** The keys that the help lists, each as its caps in a row. */
const listed = async (hands: Hands): Promise<ReadonlyArray<string>> => {
  await hands.press(["?"])
  await until(hands, isShown, "dialog[open] .shortcut")
  const all = await hands.evaluate(
    (cells) =>
      [...document.querySelectorAll(cells)].map((cell) =>
        [...cell.querySelectorAll("kbd")].map((cap) => cap.textContent?.trim()).join(" ")
      ),
    ".shortcut dd"
  )
  await hands.press(["Escape"])
  await until(hands, isGone, "dialog[open]")
  return all
}

const press = async (hands: Hands, caps: string) => {
  const keys = caps.split(" ").map((cap) => (cap === "Ctrl" ? "Control" : cap.length === 1 ? cap.toLowerCase() : cap))
  if (/^(Control|Alt|Shift)$/.test(keys[0] ?? "")) await hands.press(keys)
  else for (const key of keys) await hands.press([key])
}

/** Takes away what a key has brought: a dialog, a narrow sidebar, notices. */
const clearAway = async (hands: Hands) => {
  for (const [shown, keys] of LEFTOVERS) {
    if (!(await hands.evaluate(isShown, shown))) continue
    await hands.press(keys)
    await until(hands, isGone, shown)
  }
  await hands.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(".notice button:last-of-type")) button.click()
  }, null)
  await until(hands, isGone, ".notice")
}

/** Presses everything that the help lists on a screen, each after the screen was left and come back to. */
const pressAll = async (hands: Hands, url: string, { path, ready, drawn = ready, own }: Place) => {
  const effects: Effects = { ...WRITING, ...SESSION_LIST, ...EVERYWHERE, ...own }
  const go = (to: string) =>
    hands.evaluate((address) => {
      history.pushState(null, "", address)
      dispatchEvent(new PopStateEvent("popstate"))
    }, to)
  const enter = async (sign: string) => {
    await until(hands, isShown, sign)
    await hands.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    }, null)
  }
  const enterAgain = async (sign: string) => {
    await clearAway(hands)
    await go("/settings/chat")
    await until(hands, isShown, ".settings-page")
    await go(path)
    await enter(sign)
  }
  await hands.goto(url + path)
  await until(hands, isThere, '[data-connection="ready"]')
  await enter(ready)
  const keys = await listed(hands)
  assert.deepStrictEqual(
    keys.filter((one) => !Object.hasOwn(effects, one)),
    [],
    "in the help, but pressed by no test"
  )
  assert.deepStrictEqual(
    [...Object.keys(own), ...Object.keys(EVERYWHERE)].filter((one) => !keys.includes(one)),
    [],
    "pressed, but not in the help"
  )
  for (const one of new Set(keys)) {
    const effect = effects[one]
    if (effect === null || effect === undefined) continue
    await enterAgain(Object.hasOwn(own, one) ? ready : drawn)
    await press(hands, one)
    await effect(hands).catch((reason) => assert.fail(`${one}: ${reason}`))
  }
}

const addCard = (console: { readonly url: string }) => boardCalls(console).create({ title: "A card to walk to" })

describe("every shortcut that the help lists", () => {
  const console = useConsole()
  const browser = useBrowser()
  beforeAll(() => addCard(console))

  it.each(SCREENS)("works on $path in Chromium", { timeout: 120_000 }, (screen) =>
    withPage(browser, {}, (page) => pressAll(handsOf(page), console.url, screen))
  )
})

const NO_FIREFOX = existsSync(FIREFOX) ? "" : ` (needs ${FIREFOX})`

describe.skipIf(NO_FIREFOX !== "")(`every shortcut that the help lists, in Firefox${NO_FIREFOX}`, () => {
  const console = useConsole()
  let firefox: Firefox | undefined
  beforeAll(async () => {
    firefox = await startFirefox()
    await addCard(console)
  })
  afterAll(() => firefox?.stop())

  it.each(SCREENS)("works on $path", { timeout: 120_000 }, async (screen) => {
    if (firefox === undefined) throw new Error("Firefox didn't start")
    await pressAll(firefox.hands, console.url, screen)
  })
})
