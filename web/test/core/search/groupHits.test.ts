import { assert, describe, it } from "@effect/vitest"
import { groupHits, marksOf } from "../../../src/core/search/groupHits.ts"
import { readSearch } from "../../../src/core/search/SearchStore.ts"
import { asAnswer } from "../support/asAnswer.ts"

const hits = (list: ReadonlyArray<object>) =>
  readSearch(
    asAnswer({ hits: list.map((hit) => ({ gatewayId: "primary", at: 1, snippet: [], ...hit })), state: "ready" })
  ).hits

describe("groupHits", () => {
  it("puts the hits of a conversation together, in the order in which each appears first", () => {
    const groups = groupHits(
      hits([
        { kind: "message", sessionKey: "b", messageId: "1", sessionTitle: "Old name" },
        { kind: "task", taskId: "t" },
        { kind: "message", sessionKey: "a", messageId: "2", sessionTitle: "A" },
        { kind: "message", sessionKey: "b", messageId: "3" },
        { kind: "memory", path: "MEMORY.md" }
      ]),
      (key) => (key === "b" ? "New name" : null)
    )
    assert.deepStrictEqual(
      groups.map(({ title, hits: found }) => [title, found.length]),
      [
        ["New name", 2],
        ["Cards", 1],
        ["A", 1],
        ["Memory", 1]
      ]
    )
  })

  it("gives every hit a name of its own", () => {
    const [group] = groupHits(hits([{ kind: "log" }, { kind: "log" }]), () => null)
    assert.strictEqual(new Set(group?.hits.map(({ id }) => id)).size, 2)
  })

  it("leads to whole words where the snippet's end cuts one", () => {
    const snippet = [
      { text: "a ", hit: false },
      { text: "Sentence", hit: true },
      { text: " and ", hit: false },
      { text: "sente", hit: true },
      { text: "…", hit: false }
    ]
    assert.deepStrictEqual(marksOf({ snippet }), ["sentence"])
    assert.deepStrictEqual(marksOf({ snippet: snippet.slice(3) }), ["sente"])
  })

  it("keeps messages apart whose conversation isn't listed any more", () => {
    const [group] = groupHits(hits([{ kind: "message", messageId: "1" }]), () => null)
    assert.strictEqual(group?.title, "Conversations no longer listed")
  })
})
