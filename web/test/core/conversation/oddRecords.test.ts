import { assert, describe, it } from "@effect/vitest"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import { applyAgent } from "../../../../src/services/conversations/turn/liveTurn.ts"
import { sessionRow } from "../../../src/core/sessions/sessionRows.ts"
import { NO_MARK } from "../../support/sessionRow.ts"

const ODD: ReadonlyArray<unknown> = [
  null,
  undefined,
  7,
  "text",
  true,
  [],
  [[]],
  {},
  { role: 7, content: {} },
  { role: "user", content: { text: "x" } },
  { role: "user", content: [null, 7, { type: "text" }, { type: "text", text: 9 }, { type: "image", fileName: [] }] },
  { role: "assistant", content: [{ type: "toolCall", id: {}, name: [], arguments: "{" }, { type: "thinking" }] },
  { role: "assistant", content: null, usage: "much", stopReason: {}, timestamp: "now" },
  { role: "toolResult", toolCallId: [], content: [{ text: { deep: [] } }] },
  { __openclaw: "no object", role: "assistant", content: [{ type: "video", url: "x" }] }
]

describe("odd records", () => {
  it("leave the surrounding text unchanged", () => {
    for (const odd of ODD) {
      const messages = [{ role: "user", content: "before" }, odd, { role: "user", content: "after" }]
      const texts = decodeHistory({ messages }).entries.flatMap(({ item }) => (item.kind === "user" ? [item.text] : []))
      assert.include(texts, "before")
      assert.include(texts, "after")
    }
    for (const odd of ODD) assert.isArray(decodeHistory(odd).entries)
    for (const odd of ODD)
      assert.isArray(decodeHistory({ messages: odd, inFlightRun: odd, pendingInputs: odd }).entries)
  })

  it("of a kind nobody knows show as their text; the gateway's own rows do not", () => {
    const messages = [
      { role: "oracle", content: "a word of wisdom" },
      { role: "custom", content: "internal" }
    ]
    assert.deepStrictEqual(
      decodeHistory({ messages }).entries.map(({ item }) => (item.kind === "assistant" ? item.text : item.kind)),
      ["a word of wisdom"]
    )
  })

  it("break neither a running turn nor the list of sessions", () => {
    const run = {
      id: "r",
      startedAt: null,
      endedAt: null,
      count: 0,
      segmented: false,
      lastMark: 0,
      lastAt: 0,
      ending: null
    }
    for (const odd of ODD)
      for (const stream of ["assistant", "thinking", "tool", "item", "else"])
        assert.isArray(applyAgent({ timeline: [], run }, { stream, data: odd, ts: odd }).timeline)
    const marks = { seenAt: 0, isRunBelieved: true, waiting: false, deniedAt: null, firstWords: null, mark: NO_MARK }
    for (const odd of ODD) {
      const row = sessionRow(
        { label: odd, derivedTitle: odd, status: odd, updatedAt: odd, thinkingLevels: odd, totalTokens: odd },
        "agent:main:x",
        "",
        marks
      )
      assert.isNotEmpty(row.title)
    }
  })

  it("a line of a megabyte is one item, whole", () => {
    const text = "x".repeat(1_000_000)
    const [entry] = decodeHistory({ messages: [{ role: "assistant", content: text }] }).entries
    assert.strictEqual(entry?.item.kind === "assistant" ? entry.item.text.length : 0, 1_000_000)
  })
})
