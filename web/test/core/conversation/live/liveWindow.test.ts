import { assert, describe, it } from "@effect/vitest"
import type { ConversationItem } from "../../../../../src/contract/schema/conversation.ts"
import {
  itemsOf,
  type LiveWindow,
  saidIn,
  withOlder,
  withState
} from "../../../../src/core/conversation/live/liveWindow.ts"
import { liveHead } from "../../support/liveHead.ts"

const item = (key: string, text = key): ConversationItem => ({
  kind: "assistant",
  key,
  at: 1,
  messageId: key,
  text,
  streaming: false
})
const state = (keys: string, older?: string) => ({
  items: [...keys].map((key) => item(key)),
  head: liveHead(older === undefined ? {} : { older })
})
const keys = (window: LiveWindow) =>
  itemsOf(window, new Map())
    .map(({ key }) => key)
    .join("")

describe("what the page has of a conversation", () => {
  it("keeps older pages above the console's window, until another conversation takes its place", () => {
    const first = withState(null, state("cd", "c2"), "e")
    const longer = withOlder(first, first, { items: [item("a"), item("b"), item("c")], older: "c1" })
    assert.deepStrictEqual([keys(longer), longer.before], ["abcd", "c1"])
    const grown = withState(longer, state("cde", "c2"), "e")
    assert.deepStrictEqual([keys(grown), grown.before], ["abcde", "c1"])
    assert.deepStrictEqual(keys(withState(grown, state("xy", "c9"), "f")), "xy")
    assert.strictEqual(withOlder(grown, first, { items: [item("z")], older: null }), grown, "another page has come")
  })

  it("keeps what the console leaves to older pages, with the cursor of what comes before it", () => {
    const first = withState(null, state("abcd", "c1"), "e")
    const trimmed = withState(first, state("cde", "c3"), "e")
    assert.deepStrictEqual([keys(trimmed), trimmed.before], ["abcde", "c1"])
    const whole = withState(withState(null, state("abcd"), "e"), state("cde", "c3"), "e")
    assert.deepStrictEqual([keys(whole), whole.before], ["abcde", null])
    const gone = withState(first, state("bcd", "c1"), "e")
    assert.deepStrictEqual(keys(gone), "bcd", "what is dropped without another cursor is gone")
    const apart = withState(trimmed, state("xyz", "c9"), "e")
    assert.deepStrictEqual([keys(apart), apart.before], ["xyz", "c9"], "nobody knows what is between")
  })

  it("keeps items that haven't changed as they were when all are sent again", () => {
    const first = withState(null, state("ab"), "e")
    const again = withState(first, { ...state("ab"), items: [item("a"), item("b", "more")] }, "e")
    assert.strictEqual(again.state.items[0], first.state.items[0])
    assert.deepStrictEqual(again.state.items[1], item("b", "more"))
  })

  it("joins what a turn said, from its question to its last item", () => {
    const asked: ConversationItem = { kind: "user", key: "q", at: 1, text: "?", media: [], delivery: "sent" }
    const items = [item("a"), asked, item("b"), { kind: "aborted", key: "x", at: 1 } as const, item("c"), item("d")]
    assert.strictEqual(saidIn(items, "c"), "b\n\nc")
    assert.strictEqual(saidIn(items, undefined), "")
  })
})
