import { assert, describe, it } from "@effect/vitest"
import { conversationTitle } from "../../../src/services/search/text/conversationText.ts"

const key = "agent:main:dashboard:1"
const SENDER = 'Sender (untrusted metadata): ```json { "label": "gateway-client" } ``` [Fri 2026-11-27 11:53 UTC] '

describe("a conversation's title in search", () => {
  it("is the first that says something", () => {
    assert.strictEqual(conversationTitle({ key, label: "Notes", derivedTitle: "What I said" }), "Notes")
    assert.strictEqual(conversationTitle({ key, label: null, derivedTitle: "What I said" }), "What I said")
    assert.strictEqual(conversationTitle({ key, label: "", displayName: "Family" }), "Family")
    assert.isUndefined(conversationTitle({ key, displayName: key }))
    assert.isUndefined(conversationTitle({ key }))
  })

  it("is never what a gateway stored before the first message", () => {
    assert.strictEqual(conversationTitle({ key, derivedTitle: `${SENDER}Before the update` }), "Before the update")
    assert.strictEqual(conversationTitle({ key, derivedTitle: SENDER.slice(0, 40), displayName: "Family" }), "Family")
    assert.isUndefined(conversationTitle({ key, derivedTitle: SENDER.slice(0, 40) }))
    assert.isUndefined(conversationTitle({ key, derivedTitle: SENDER }))
  })
})
