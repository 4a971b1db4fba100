import { afterEach, assert, describe, it } from "@effect/vitest"
import { findMessage, lookForMessage, type WantedMessage } from "../../../src/core/conversation/findMessage.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, said, toolResult, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const MINUTE = 60_000
const go = () => new AbortController().signal

/** A conversation of many messages, one a minute; each has the id `id-<number>`. */
const long = async (protocol: number, count = 450) => {
  harness = new ChatHarness(protocol, (gateway) => {
    gateway.messages = Array.from({ length: count }, (_, index) => ({
      ...user(`m${index} said`, (index + 1) * MINUTE),
      __openclaw: { id: `id-${index}` }
    }))
  })
  await harness.connect()
}

const wanted = (fields: Partial<WantedMessage>): WantedMessage => ({ id: null, at: 0, marks: [], ...fields })
const textOf = (key: string | null) => {
  const item = harness.items.find((one) => one.key === key)
  return item?.kind === "user" ? item.text : item?.kind
}

/** A look that passes the time which reading takes. */
const look = async (message: WantedMessage, signal = go()) => {
  const lookup = lookForMessage(harness.chat, message, signal)
  let isDone = false
  void lookup.then(() => {
    isDone = true
  })
  while (!isDone) await harness.settle()
  return lookup
}

describe("looking for a message", () => {
  for (const protocol of [3, 4]) {
    it(`loads the conversation up to it, and no further, protocol ${protocol}`, async () => {
      await long(protocol)
      const before = harness.items.length
      assert.isBelow(before, 200)
      const lookup = await look(wanted({ id: "id-200", at: 201 * MINUTE, marks: ["m200"] }))
      assert.strictEqual(lookup.kind === "found" ? textOf(lookup.key) : lookup.kind, "m200 said")
      assert.isTrue(harness.chat.state.get().hasOlder)
      assert.isAbove(harness.items.length, before)
    })

    it(`finds one by its words and time where the history has other ids, protocol ${protocol}`, async () => {
      await long(protocol)
      const lookup = await look(wanted({ id: "unknown", at: 101 * MINUTE + 900, marks: ["said"] }))
      assert.strictEqual(lookup.kind === "found" ? textOf(lookup.key) : lookup.kind, "m100 said")
    })
  }

  it("ends where the message would have been, and at the beginning", async () => {
    await long(4)
    const gone = await look(wanted({ id: "unknown", at: 300 * MINUTE, marks: ["gone"] }))
    assert.strictEqual(gone.kind, "missing")
    assert.isTrue(harness.chat.state.get().hasOlder)
    assert.strictEqual((await look(wanted({ id: "unknown" }))).kind, "missing")
    assert.isFalse(harness.chat.state.get().hasOlder)
  })

  it("says that older messages couldn't be loaded", async () => {
    await long(4)
    harness.gateway.held.add("chat.history")
    const lookup = lookForMessage(harness.chat, wanted({ id: "id-1", at: MINUTE }), go())
    await harness.settle()
    const { socket } = harness.gateway
    socket.refuse(socket.last("chat.history"), "UNAVAILABLE", "no")
    assert.strictEqual((await lookup).kind, "failed")
  })

  it("stops on request", async () => {
    await long(4)
    const control = new AbortController()
    control.abort()
    assert.strictEqual((await look(wanted({ id: "id-1" }), control.signal)).kind, "stopped")
  })
})

describe("findMessage", () => {
  it("takes the part of a message that holds the words", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [
        user("go", 1),
        { ...assistant([said("first part"), call("c1"), said("second part")], 2), __openclaw: { id: "a1" } }
      ]
    })
    await harness.connect()
    const find = (marks: ReadonlyArray<string>) => {
      const key = findMessage(harness.chat, wanted({ id: "a1", at: 2, marks }))
      const item = harness.items.find((one) => one.key === key)
      return item?.kind === "assistant" ? item.text : item?.kind
    }
    assert.strictEqual(find(["second"]), "second part")
    assert.strictEqual(find(["first"]), "first part")
  })

  it("finds what a tool returned in the card of its call", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [
        user("go", MINUTE),
        assistant([call("c1")], 2 * MINUTE),
        { ...toolResult("c1", "the pump is broken", 3 * MINUTE), __openclaw: { id: "t1" } },
        assistant([said("Done: the pump.")], 4 * MINUTE)
      ]
    })
    await harness.connect()
    const key = findMessage(harness.chat, wanted({ id: "t1", at: 3 * MINUTE, marks: ["pump", "broken"] }))
    assert.strictEqual(harness.items.find((item) => item.key === key)?.kind, "tool")
  })
})
