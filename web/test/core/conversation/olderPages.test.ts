import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { withoutEnvelopes } from "../../../../src/services/conversations/history/chatHistory.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, said, toolResult, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

describe("older pages", () => {
  it("load upwards while there are any", async () => {
    harness = new ChatHarness(3, (gateway) => {
      gateway.messages = Array.from({ length: 150 }, (_, index) => user(`m${index}`, index + 1))
    })
    await harness.connect()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [100, true])
    const keys = harness.items.map(({ key }) => key)
    await harness.chat.loadOlder()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [150, false])
    assert.deepStrictEqual(
      harness.items.slice(50).map(({ key }) => key),
      keys
    )
  })

  it("a turn after which the short read no longer overlaps is read in whole", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [user("old", 1, "r0")]
    })
    await harness.connect()
    harness.gateway.messages = [
      ...harness.gateway.messages,
      ...Array.from({ length: 60 }, (_, index) => assistant([said(`part ${index}`)], 10_000 + index, "r1"))
    ]
    const turn = harness.turn("r1")
    turn.start()
    turn.final("part 59")
    await harness.settle()
    assert.strictEqual(harness.items.length, 61)
    assert.strictEqual(harness.shown[0], "user: old")
  })
})

describe("a session of thousands of messages", () => {
  for (const protocol of [3, 4])
    it(`is read back to its first message, nothing twice and nothing lost, protocol ${protocol}`, async () => {
      const count = 2_500
      harness = new ChatHarness(protocol, (gateway) => {
        gateway.messages = Array.from({ length: count }, (_, index) => user(`m${index}`, index + 1))
      })
      await harness.connect()
      let pages = 0
      while (harness.chat.state.get().hasOlder) {
        await harness.chat.loadOlder()
        // What arrives meanwhile shifts the pages.
        harness.gateway.messages = [...harness.gateway.messages, user(`n${pages++}`, 10_000 + pages)]
        assert.isBelow(pages, 50)
      }
      await harness.chat.resync()
      const texts = harness.users.map(({ text }) => text)
      assert.strictEqual(new Set(texts).size, texts.length)
      assert.deepStrictEqual(texts.slice(0, 2), ["m0", "m1"])
      assert.strictEqual(texts.length, count + pages)
      assert.isFalse(harness.chat.state.get().hasOlder)
    })

  it("a tool call and its result are one, also where a page ends between them", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [
        user("go", 1, "r"),
        assistant([call("c1")], 2, "r"),
        toolResult("c1", "found", 3, "r"),
        ...Array.from({ length: 99 }, (_, index) => assistant([said(`part ${index}`)], 10 + index, "r"))
      ]
    })
    await harness.connect()
    assert.strictEqual(harness.shown[0], "tool exec done: found")
    await harness.chat.loadOlder()
    assert.deepStrictEqual(harness.shown.slice(0, 3), ["user: go", "tool exec done: found", "assistant: part 0"])
    assert.strictEqual(harness.items.length, 101)
  })

  it("a page that could not be read is asked for again", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = Array.from({ length: 150 }, (_, index) => user(`m${index}`, index + 1))
    })
    await harness.connect()
    harness.gateway.held.add("chat.history")
    const loading = harness.chat.loadOlder()
    assert.isTrue(harness.chat.state.get().loadingOlder)
    await vi.dynamicImportSettled()
    harness.gateway.socket.refuse(harness.gateway.socket.last("chat.history"), "UNAVAILABLE", "busy")
    await loading
    assert.isFalse(harness.chat.state.get().loadingOlder)
    harness.gateway.held.clear()
    await harness.chat.loadOlder()
    assert.strictEqual(harness.items.length, 150)
  })

  it("keeps the newest items, and the older ones can be loaded again", async () => {
    const parts = Array.from({ length: 90 }, (_, part) => said(`part ${part}`))
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = Array.from({ length: 90 }, (_, index) => assistant(parts, index + 1, `r${index}`))
    })
    await harness.connect()
    assert.strictEqual(harness.items.length, 8_100)
    harness.gateway.messages = [...harness.gateway.messages, assistant([said("newest")], 20_000, "now")]
    harness.gateway.historyExtras = { hasMore: true }
    const turn = harness.turn("now", 20_000)
    turn.start()
    turn.text("newest", "newest")
    turn.final("newest")
    await harness.settle()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [8_000, true])
    assert.strictEqual(harness.shown.at(-1), "assistant: newest")
    harness.gateway.historyExtras = {}
    await harness.chat.loadOlder()
    assert.strictEqual(harness.items.length, 8_101)
  })
})

describe("what older gateways store in front of a message", () => {
  it("is taken off, and only that", () => {
    const stored = (text: string) => ({
      messages: [
        { role: "user", content: [{ type: "text", text }, { type: "image" }] },
        { role: "assistant", content: text },
        7
      ]
    })
    const wrapped =
      'Sender (untrusted metadata):\n```json\n{\n  "label": "gateway-client"\n}\n```\n\n[Fri 2026-11-20 10:18 UTC] hello'
    assert.deepStrictEqual(withoutEnvelopes(stored(wrapped)), {
      messages: [
        { role: "user", content: [{ type: "text", text: "hello" }, { type: "image" }] },
        { role: "assistant", content: wrapped },
        7
      ]
    })
    assert.deepStrictEqual(withoutEnvelopes(stored("[a] b")), stored("[a] b"))
    assert.deepStrictEqual(withoutEnvelopes(null), { messages: [] })
  })
})
