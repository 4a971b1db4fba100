import { assert, describe, it } from "@effect/vitest"
import type { LinkState } from "../../src/core/link/linkTypes.ts"
import type { SessionsState } from "../../src/core/sessions/sessionTypes.ts"
import { pageTitle } from "../../src/shell/pageTitle.ts"
import { sessionRow } from "../support/sessionRow.ts"

const ready: LinkState = { phase: "ready", attempt: 0, nextAttemptAt: null, message: null }
const sessions = (change: Partial<SessionsState> = {}): SessionsState => ({
  status: "ready",
  message: null,
  rows: [sessionRow({ title: "Report", state: "working" })],
  tree: [],
  archived: [],
  unreadCount: 0,
  hasMore: false,
  ...change
})

describe("pageTitle", () => {
  it("names the session and its state", () => {
    assert.strictEqual(pageTitle(ready, sessions(), "agent:main:main", 0), "Working · Report · Agent Console")
  })

  it("puts unread answers and a lost connection in front", () => {
    const title = pageTitle({ ...ready, phase: "waiting" }, sessions({ unreadCount: 2 }), "agent:main:main", 0)
    assert.strictEqual(title, "(2) Offline · Working · Report · Agent Console")
  })

  it("counts what waits in the inbox before what is unread", () => {
    const title = pageTitle(ready, sessions({ unreadCount: 2 }), "agent:main:main", 5)
    assert.strictEqual(title, "(5) Working · Report · Agent Console")
  })

  it("names the screen where it is not the chat", () => {
    assert.strictEqual(pageTitle(ready, sessions(), "agent:main:main", 0, "Board"), "Working · Board · Agent Console")
  })

  it("is the product's name before any session is known", () => {
    assert.strictEqual(pageTitle(ready, sessions({ rows: [] }), "agent:main:main", 0), "Agent Console")
  })
})
