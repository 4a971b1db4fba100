import { assert, describe, it } from "@effect/vitest"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import { exportMarkdown } from "../../../src/core/conversation/exportMarkdown.ts"
import { shownItem } from "../../../src/core/conversation/shownChat.ts"

const AT = Date.UTC(2026, 10, 27, 11, 53, 20)
const SENDER =
  'Sender (untrusted metadata):\n```json\n{\n  "label": "gateway-client",\n  "id": "gateway-client"\n}\n```\n\n'
const CHAT = 'Conversation info (untrusted metadata):\n```json\n{"chat": "family"}\n```\n\n'
const STAMP = "[Fri 2026-11-27 11:53 UTC] "

const itemsOf = (content: unknown, more: object = {}) =>
  decodeHistory({
    sessionKey: "agent:main:main",
    messages: [{ role: "user", content, timestamp: AT, __openclaw: { id: "m", seq: 1 }, ...more }]
  }).entries.map(({ item }) => shownItem(item))
const shown = (content: unknown, more: object = {}) =>
  itemsOf(content, more).map((item) => [item.kind, "text" in item ? item.text : ""])

describe("a person's words from before the gateway was updated", () => {
  it.each([
    ["with its sender and time", `${SENDER}${STAMP}Before the update`],
    ["with what is known of the chat", `${CHAT}${SENDER}${STAMP}Before the update`],
    ["with its time alone", `${STAMP}Before the update`],
    ["with a time of another zone", "[Fri 2026-11-27 06:53 EST] Before the update"],
    ["with a time of a zone of half hours", "[Fri 2026-11-27 17:23 GMT+5:30] Before the update"],
    ["without a time", `${SENDER}Before the update`]
  ])("are shown as they were typed: %s", (_, text) => {
    assert.deepStrictEqual(shown(text), [["user", "Before the update"]])
    assert.deepStrictEqual(shown([{ type: "text", text }]), [["user", "Before the update"]])
  })

  it("keep their lines, and are exported the same way", () => {
    const text = `${SENDER}${STAMP}One\n\n\`\`\`json\n{}\n\`\`\`\n[Fri 2026-11-27 11:53 UTC] two`
    const [item] = itemsOf(text)
    assert.strictEqual(item?.kind === "user" && item.text, "One\n\n```json\n{}\n```\n[Fri 2026-11-27 11:53 UTC] two")
    assert.notInclude(exportMarkdown("A session", itemsOf(text)), "untrusted")
  })

  it("come after what the gateway noted with them, wherever that is", () => {
    const note = "System: [2026-11-27 11:53:01 UTC] Model switched to mock/mock-think.\n\n"
    const expected = [
      ["note", "Model switched to mock/mock-think."],
      ["user", "Go on"]
    ]
    assert.deepStrictEqual(shown(`${note}${SENDER}${STAMP}Go on`), expected)
    assert.deepStrictEqual(shown(`${SENDER}${STAMP}${note}Go on`), expected)
  })

  it("that no person wrote are notes as before", () => {
    const [item] = itemsOf(`${SENDER}${STAMP}Read HEARTBEAT.md if it exists (workspace context).`)
    assert.strictEqual(item?.kind, "note")
  })
})

describe("a person's words that look like it", () => {
  it("stay as they were typed where the gateway has their sender's id", () => {
    const text = `${SENDER}${STAMP}What does this mean?`
    assert.deepStrictEqual(shown(text, { idempotencyKey: "abc:user" }), [["user", text]])
  })

  it("keep a time that isn't when they were sent", () => {
    for (const text of [
      "[Mon 2026-11-23 08:00 UTC] the server failed",
      "[Fri 2026-11-27 11:45 UTC] the server failed",
      "[Fri 2026-11-27] notes",
      "[x] done"
    ])
      assert.deepStrictEqual(shown(text), [["user", text]])
  })
})
