import { assert, describe, it } from "@effect/vitest"
import { FakeGateway } from "../../core/support/FakeGateway.ts"
import { type OpenedPage, openPage, until, wordsOf } from "../support/openPage.tsx"

const NAMES = ["garden", "kitchen", "roof", "shed", "cellar", "attic", "porch"]

/** A gateway with more sessions than the palette names as the latest. */
const withSessions = (): FakeGateway => {
  const gateway = new FakeGateway()
  gateway.sessions = ["main", ...NAMES.map((name) => `dashboard:${name}`)].map((name, index) => ({
    key: `agent:main:${name}`,
    label: name === "main" ? "Main" : `About the ${name.slice("dashboard:".length)}`,
    updatedAt: Date.parse("2026-11-27T11:00:00Z") - index * 60_000
  }))
  return gateway
}

const open = async (address: string): Promise<OpenedPage> => {
  const page = await openPage({ address, gateway: withSessions() })
  await page.find("a[data-session]", "About the garden")
  return page
}
const call = async (page: OpenedPage): Promise<void> => {
  await page.key("k", { ctrlKey: true })
  await page.find("[role=combobox]")
}
const choose = async (page: OpenedPage, words: string): Promise<void> => {
  await call(page)
  await page.write("[role=combobox]", words)
  await until(() => page.all(".palette-note", "result").length > 0)
}
const groups = (page: OpenedPage) =>
  page.all("[role=listbox] [role=group]").map((group) => ({
    name: group.getAttribute("aria-label") ?? "",
    options: Array.from(group.querySelectorAll("[role=option]")).map(wordsOf)
  }))
const enter = (page: OpenedPage): Promise<void> => page.key("Enter")

describe("the command palette", () => {
  it("reaches every session, makes new ones, and says when nothing fits", async () => {
    const page = await open("/chat/agent:main:dashboard:garden")
    await choose(page, "main session")
    await enter(page)
    await until(() => location.pathname === "/chat/agent:main:main")
    await choose(page, "start new session")
    await enter(page)
    await until(() => location.pathname.includes(":dashboard:") && !location.pathname.endsWith(":garden"))
    await call(page)
    await page.write("[role=combobox]", "qqqqzzzz")
    await page.find(".palette-note", "No results")
  })

  it("shows the latest sessions first, and everything below its heading", async () => {
    const page = await open("/chat/agent:main:dashboard:attic")
    await page.find("#composer")
    await call(page)
    const shown = groups(page)
    const names = shown.map(({ name }) => name)
    assert.strictEqual(names[0], "Recent sessions")
    assert.lengthOf(new Set(names), names.length)
    for (const name of ["Chat", "Go to", "General"]) assert.include(names, name)
    assert.lengthOf(shown[0]?.options ?? [], 5)
    const before = location.pathname
    await enter(page)
    await page.gone("dialog[open]")
    await until(() => location.pathname !== before && location.pathname.startsWith("/chat/"))
  })

  it("shows the board's own commands right below the latest sessions, and doesn't lead to where one is", async () => {
    const page = await open("/board")
    await page.find("h1", "Board")
    await until(() => page.services.commands.available().some(({ group }) => group === "Board"))
    await call(page)
    const [recent, board, goTo] = groups(page)
    assert.deepStrictEqual([recent?.name, board?.name, goTo?.name], ["Recent sessions", "Board", "Go to"])
    assert.lengthOf(recent?.options ?? [], 3)
    assert.isTrue(board?.options.some((option) => option.startsWith("New card")))
    assert.isTrue(goTo?.options.some((option) => option.startsWith("Inbox")))
    assert.isFalse(goTo?.options.some((option) => option.startsWith("Board")))
  })

  it("walks the results with the arrows, round the ends, and follows the pointer", async () => {
    const page = await open("/chat/agent:main:main")
    await call(page)
    const chosen = () => page.all('[role=option][aria-selected="true"]').map(({ id }) => id)
    const [first] = chosen()
    const last = page.all("[role=option]").at(-1)?.id
    await page.key("ArrowUp")
    await until(() => chosen()[0] === last)
    await page.key("ArrowDown")
    await until(() => chosen()[0] === first)
    assert.lengthOf(chosen(), 1)
    const [field] = page.all("[role=combobox]")
    assert.strictEqual(field?.getAttribute("aria-activedescendant"), first)
    const third = page.all("[role=option]")[2]
    if (third === undefined) return assert.fail("there are too few")
    await page.fire(third, "pointermove")
    await until(() => chosen()[0] === third.id)
    await page.key("k", { ctrlKey: true })
    await page.gone("dialog[open]")
  })

  it("has a line for every page that a screen has a tab for", async () => {
    for (const screen of ["knowledge", "operations", "settings"]) {
      const page = await open(`/${screen}`)
      const links = `main nav a[href^="/${screen}/"]`
      await page.find(links)
      const places = page.all(links).map((link) => ({
        label: link.querySelector("span")?.textContent?.trim() ?? wordsOf(link),
        path: link.getAttribute("href") ?? ""
      }))
      assert.isAtLeast(places.length, 3, screen)
      for (const { label, path } of places) {
        // Away first, so that the address shows that the line leads there.
        page.services.router.navigate("/inbox")
        await page.find("h1", "Inbox")
        await choose(page, label)
        await page.press("[role=option]", new RegExp(`^${label}( settings| this console| and their tokens)? ?Go to$`))
        await until(() => location.pathname === path)
        await page.gone("h1", "Inbox")
      }
    }
  })

  it("reaches the pages within a screen", async () => {
    const page = await open("/inbox")
    await choose(page, "notifications")
    await page.press("[role=option]", /^Notifications ?Go to/)
    await until(() => location.pathname === "/settings/notifications")
    await page.find("[role=switch]", "Notify me")
    await page.gone("dialog[open]")
    await choose(page, "voice settings")
    await page.press("[role=option]", /^Voice settings ?Go to/)
    await until(() => location.pathname === "/settings/voice")
    await page.find("legend", "Read responses aloud")
  })
})
