import { assert, describe, it } from "@effect/vitest"
import { pageTitle } from "../../src/app/pageTitle.ts"
import type { SessionsState } from "../../src/core/chatTypes.ts"
import type { LinkState } from "../../src/core/types.ts"
import { sessionRow } from "../support/sessionRow.ts"

const ready: LinkState = { phase: "ready", attempt: 0, nextAttemptAt: null, message: null }
const sessions = (change: Partial<SessionsState> = {}): SessionsState => ({
  status: "ready",
  message: null,
  rows: [sessionRow({ title: "Report", state: "working" })],
  tree: [],
  unreadCount: 0,
  hasMore: false,
  ...change
})

describe("pageTitle", () => {
  it("names the session and its state", () => {
    assert.strictEqual(pageTitle(ready, sessions(), "agent:main:main"), "Working · Report · Agent Console")
  })

  it("puts unread answers and a lost connection in front", () => {
    const title = pageTitle({ ...ready, phase: "waiting" }, sessions({ unreadCount: 2 }), "agent:main:main")
    assert.strictEqual(title, "(2) Offline · Working · Report · Agent Console")
  })

  it("names the screen where it is not the chat", () => {
    assert.strictEqual(pageTitle(ready, sessions(), "agent:main:main", "Board"), "Working · Board · Agent Console")
  })

  it("is the product's name before any session is known", () => {
    assert.strictEqual(pageTitle(ready, sessions({ rows: [] }), "agent:main:main"), "Agent Console")
  })
})
