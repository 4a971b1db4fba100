import { assert, describe, it } from "@effect/vitest"
import { groupsOfKey, inboxPlace, listPath, offeredBy } from "../../src/inbox/inboxPath.ts"

import { inboxItem, questionItem, questionPart } from "../support/inboxItem.ts"

const proposal = inboxItem({
  id: "p",
  kind: "proposal",
  actions: [
    { id: "approve", label: "Approve", needs: null },
    { id: "send-back", label: "Send back", needs: "text" }
  ]
})

describe("several items at once", () => {
  it("offer what needs nothing besides, with how many offer it", () => {
    const offers = offeredBy([inboxItem(), inboxItem({ id: "b" }), proposal, questionItem(questionPart())])
    assert.deepStrictEqual(
      offers.map(({ id, count }) => [id, count]),
      [
        ["allow-once", 2],
        ["deny", 2],
        ["approve", 1],
        ["skip", 1]
      ]
    )
  })

  it("match a key to everything that it means", () => {
    const groups = groupsOfKey([inboxItem(), proposal], "a")
    assert.deepStrictEqual(
      [...groups].map(([action, items]) => [action, items.map(({ id }) => id)]),
      [
        ["allow-once", ["one"]],
        ["approve", ["p"]]
      ]
    )
    assert.strictEqual(groupsOfKey([proposal], "b").size, 0, "sending back needs a text")
  })
})

describe("an address of the inbox", () => {
  it("names a list or one item", () => {
    const place = (segments: ReadonlyArray<string>, query = "") =>
      inboxPlace({ segments, query: new URLSearchParams(query) })
    assert.deepStrictEqual(place([]), { item: null, isDecided: false, kind: null })
    assert.deepStrictEqual(place([], "show=decided&kind=review"), { item: null, isDecided: true, kind: "review" })
    assert.deepStrictEqual(place(["a"], "kind=else"), { item: "a", isDecided: false, kind: null })
    assert.strictEqual(listPath({ isDecided: true, kind: "review" }), "/inbox?show=decided&kind=review")
    assert.strictEqual(listPath({ isDecided: false, kind: null }), "/inbox")
  })
})
