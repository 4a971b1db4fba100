import { assert, describe, it } from "@effect/vitest"
import { readKind } from "../../src/sessions/groupActions.ts"
import { sessionRow } from "../support/sessionRow.ts"

/** A gateway's sessions, of which each read gives twice as many; `all` is newest first. */
const sessionsOf = (all: ReadonlyArray<"chat" | "cron">, answersMore = true) => {
  let shown = 2
  let reads = 0
  const state = () => ({
    status: "ready" as const,
    message: null,
    rows: all.slice(0, shown).map((kind, index) => sessionRow({ key: `agent:main:${index}`, kind })),
    tree: [],
    archived: [],
    unreadCount: 0,
    hasMore: shown < all.length || !answersMore
  })
  return {
    reads: () => reads,
    store: {
      state: { get: state, subscribe: () => () => {} },
      readMore: async () => {
        reads++
        if (answersMore) shown *= 2
      }
    }
  }
}

describe("older sessions of a kind", () => {
  it("are read until there is one", async () => {
    const { reads, store } = sessionsOf([...Array<"chat">(6).fill("chat"), "cron", ...Array<"chat">(20).fill("chat")])
    await readKind(store, "jobs")
    assert.strictEqual(reads(), 2)
    await readKind(store, "jobs")
    assert.strictEqual(reads(), 2)
  })

  it("are looked for until the gateway has no more, or gives no more", async () => {
    const none = sessionsOf(Array<"chat">(9).fill("chat"))
    await readKind(none.store, "board")
    assert.strictEqual(none.reads(), 3)
    const broken = sessionsOf(["chat", "chat"], false)
    await readKind(broken.store, "board")
    assert.strictEqual(broken.reads(), 1)
  })
})
