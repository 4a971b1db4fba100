import type { Page } from "playwright-core"
import { connected, finishedAnswer, openNewSession, say } from "../support/conversation.ts"

/** Where a scene is played. */
export interface Stage {
  /** A console with the demo's samples. */
  readonly url: string
  /** A console that asks for a password. */
  readonly lockedUrl: string
  readonly page: Page
}

/** A screen as people meet it. */
export interface Scene {
  readonly name: string
  /** Brings the page there, and waits until it is whole. */
  readonly play: (stage: Stage) => Promise<void>
}

/** Waits until nothing is loading any more. */
const whole = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector(".skeleton, main .state.is-loading") === null)

/** An address, and something on it that says the screen is there. */
const at = (name: string, path: string, sign = "main h1"): Scene => ({
  name,
  play: async ({ page, url }) => {
    await page.goto(`${url}${path}`)
    await connected(page)
    await page.locator(sign).first().waitFor()
    await whole(page)
  }
})

/** The address of the first card in a column. */
const cardIn = async (page: Page, status: string): Promise<string> => {
  const answer: unknown = await page.evaluate(() => fetch("/api/kanban/tasks?limit=200").then((found) => found.json()))
  const items = typeof answer === "object" && answer !== null && "items" in answer ? answer.items : []
  const card = (Array.isArray(items) ? items : []).find((item) => item.status === status)
  return `/board/${card?.id ?? "none"}`
}

const card = (name: string, status: string): Scene => ({
  name,
  play: async ({ page, url }) => {
    await page.goto(`${url}/board`)
    await connected(page)
    await page.goto(`${url}${await cardIn(page, status)}`)
    await connected(page)
    await page.locator("[data-task], .card").first().waitFor({ state: "attached" })
    await whole(page)
  }
})

/** Every screen, in the order in which people meet them. */
export const SCENES: ReadonlyArray<Scene> = [
  {
    name: "login",
    play: async ({ page, lockedUrl }) => {
      await page.goto(lockedUrl)
      await page.locator("#password").waitFor()
    }
  },
  {
    name: "chat",
    play: async ({ page, url }) => {
      await openNewSession(page, url)
      await say(page, "Show me a table and some code")
      await finishedAnswer(page, "A quotation")
      await say(page, "Think about it first, then answer")
      await finishedAnswer(page, "")
      await say(page, "Use a tool to look something up")
      await finishedAnswer(page, "")
    }
  },
  {
    name: "approval",
    play: async ({ page, url }) => {
      await openNewSession(page, url)
      await say(page, "Please approve something")
      await page.locator(".approval").waitFor()
    }
  },
  {
    name: "sessions",
    play: async ({ page, url }) => {
      await page.goto(url)
      await connected(page)
      await page.locator("a[data-session]").first().waitFor({ state: "attached" })
      const menu = page.locator("[data-open-sessions]")
      if (await menu.isVisible()) await menu.click()
      await page.locator("a[data-session]").first().waitFor()
    }
  },
  at("inbox", "/inbox"),
  at("board", "/board", "[data-column=done] .card-cost"),
  card("card", "todo"),
  card("review", "review"),
  at("memory", "/knowledge/memory"),
  at("documents", "/knowledge/documents"),
  {
    name: "files",
    play: async ({ page, url }) => {
      await page.goto(`${url}/knowledge/files`)
      await connected(page)
      await page.locator('[role=treeitem][data-path$=".md"]').first().click()
      await page.locator(".cm-content, .markdown").first().waitFor()
    }
  },
  at("search", "/search?q=newsletter", "main mark"),
  at("jobs", "/operations/crons"),
  at("usage", "/operations/usage"),
  at("gateway", "/operations/gateway"),
  at("settings", "/settings/appearance"),
  at("settings-gateways", "/settings/gateways"),
  {
    name: "palette",
    play: async ({ page, url }) => {
      await page.goto(`${url}/board`)
      await connected(page)
      await page.keyboard.press("Control+k")
      await page.locator(".palette-field").waitFor()
    }
  }
]
