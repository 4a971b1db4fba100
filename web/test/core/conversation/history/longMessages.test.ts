import { afterEach, assert, describe, it } from "@effect/vitest"
import type { Fields } from "../../../../../src/contract/looseFields.ts"
import { ChatHarness } from "../../support/chatHarness.ts"
import { assistant, said, user } from "../../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const LONG = "The quick brown fox. ".repeat(20_000)

/** How a gateway lists a message it leaves out for its size. */
const leftOut = (role: string, id: string, timestamp: number, more: object = {}) => ({
  role,
  timestamp,
  content: [{ type: "text", text: "[chat.history omitted: message too large]" }],
  __openclaw: { id, seq: 2, truncated: true, reason: "oversized", ...more }
})

const whole = (id: string, at: number, runId: string) => ({
  ...assistant([said(LONG)], at, runId),
  __openclaw: { id, runId }
})

const cut = (id: string, at: number) => ({
  ...assistant([said(`${LONG.slice(0, 12_000)}\n...(truncated)...`)], at),
  __openclaw: { id, seq: 2 }
})

const texts = () => harness.items.map((item) => ("text" in item ? item.text : item.kind))
const isCut = () => harness.items.map((item) => "isCut" in item && item.isCut === true)

describe("a newer gateway's long messages", () => {
  const start = async (get: (params: Fields) => unknown) => {
    const asked: Array<Fields> = []
    harness = new ChatHarness(4, (gateway) => {
      gateway.methods = ["chat.message.get"]
      gateway.messages = [leftOut("user", "q", 1_000, { idempotencyKey: "r1:user" }), leftOut("assistant", "a", 1_100)]
      gateway.answers["chat.message.get"] = ({ params }) => {
        asked.push(params)
        return get(params)
      }
    })
    await harness.connect()
    return asked
  }

  it("are read one by one and shown whole, once", async () => {
    const asked = await start(({ messageId }) => ({
      ok: true,
      message:
        messageId === "q"
          ? { role: "user", content: LONG, timestamp: 1_000, idempotencyKey: "r1:user", __openclaw: { id: "q" } }
          : whole("a", 1_100, "r1")
    }))
    assert.deepStrictEqual(texts(), [LONG, LONG])
    assert.deepStrictEqual(isCut(), [false, false])
    assert.deepStrictEqual(asked[0], { sessionKey: "agent:main:main", messageId: "q", maxChars: 2_000_000 })
    await harness.chat.resync()
    assert.lengthOf(asked, 2, "what is known is not asked for again")
    assert.deepStrictEqual(texts(), [LONG, LONG])
  })

  it("stay marked where the gateway does not give them out, which is not asked again and again", async () => {
    const asked = await start(() => ({ ok: false, unavailableReason: "oversized" }))
    assert.deepStrictEqual(texts(), ["", ""])
    assert.deepStrictEqual(isCut(), [true, true])
    await harness.chat.resync()
    assert.lengthOf(asked, 2)
    const key = harness.items[1]?.key ?? ""
    assert.deepStrictEqual(await harness.chat.readWhole(key), {
      ok: false,
      message: "This message is too long for the gateway to send."
    })
    assert.lengthOf(asked, 3)
  })

  it("keep on screen what was streamed, and are whole after the end and after a reload", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.methods = ["chat.message.get"]
      gateway.answers["chat.message.get"] = () => ({ ok: true, message: whole("a", 10_100, "id-2") })
    })
    await harness.connect()
    const runId = await harness.send("Write a lot")
    const turn = harness.turn(runId)
    turn.start()
    turn.text(LONG)
    await harness.settle()
    const key = harness.items[1]?.key
    harness.gateway.messages = [user("Write a lot", 10_000, runId), leftOut("assistant", "a", 10_100)]
    harness.gateway.answers["chat.message.get"] = () => ({ ok: true, message: whole("a", 10_100, runId) })
    turn.final(LONG)
    await harness.pass(5_000)
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
    assert.strictEqual(harness.items[1]?.key, key, "the same item, so nothing moves")
    harness.chat.dispose()
    harness.chat = harness.open()
    await harness.settle()
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
  })

  it("come no more than six at a time by themselves", async () => {
    const asked: Array<unknown> = []
    harness = new ChatHarness(4, (gateway) => {
      gateway.methods = ["chat.message.get"]
      gateway.messages = Array.from({ length: 9 }, (_, index) => leftOut("assistant", `a${index}`, 1_000 + index))
      gateway.answers["chat.message.get"] = ({ params }) => {
        asked.push(params.messageId)
        return { ok: true, message: { ...whole(String(params.messageId), 1_000, "r"), content: [said("whole")] } }
      }
    })
    await harness.connect()
    assert.deepStrictEqual(asked, ["a3", "a4", "a5", "a6", "a7", "a8"])
    const key = harness.items[0]?.key ?? ""
    assert.deepStrictEqual(await harness.chat.readWhole(key), { ok: true, value: true })
    assert.strictEqual(texts()[0], "whole")
    assert.deepInclude(harness.items[0], { key, isAskedFor: true })
    assert.notProperty(harness.items.at(-1), "isAskedFor")
  })
})

describe("an older gateway's long messages", () => {
  const stored = () => [
    user("Write a lot", 1_000, undefined, "q"),
    { ...whole("a", 1_100, ""), __openclaw: { id: "a" } }
  ]

  it("are whole on screen after the stream, and cut after a reload until all of them is wanted", async () => {
    harness = new ChatHarness(3)
    await harness.connect()
    const runId = await harness.send("Write a lot")
    const turn = harness.turn(runId, 1_000)
    turn.start()
    turn.text(LONG)
    harness.gateway.messages = [user("Write a lot", 1_000, undefined, "q"), cut("a", 1_100)]
    turn.final(LONG)
    await harness.pass(5_000)
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
    assert.deepStrictEqual(isCut(), [false, false])

    harness.chat.dispose()
    harness.chat = harness.open()
    await harness.settle()
    assert.deepStrictEqual(texts(), ["Write a lot", LONG.slice(0, 12_000)])
    assert.deepStrictEqual(isCut(), [false, true])

    const asked: Array<unknown> = []
    harness.gateway.answers["sessions.get"] = ({ params }) => {
      asked.push(params)
      return { messages: stored() }
    }
    const key = harness.items[1]?.key ?? ""
    assert.deepStrictEqual(await harness.chat.readWhole(key), { ok: true, value: true })
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
    assert.deepStrictEqual(isCut(), [false, false])
    assert.deepStrictEqual(asked, [{ key: "agent:main:main", limit: 20 }])
    await harness.chat.resync()
    assert.deepStrictEqual(texts(), ["Write a lot", LONG], "it stays whole when the history is read again")
  })

  it("are looked for further and further back", async () => {
    harness = new ChatHarness(3, (gateway) => {
      gateway.messages = [
        cut("a", 1_100),
        ...Array.from({ length: 30 }, (_, index) => user(`m${index}`, 2_000 + index))
      ]
    })
    await harness.connect()
    const limits: Array<unknown> = []
    const all = [...stored(), ...Array.from({ length: 30 }, (_, index) => user(`m${index}`, 2_000 + index))]
    harness.gateway.answers["sessions.get"] = ({ params }) => {
      limits.push(params.limit)
      return { messages: all.slice(-Number(params.limit)) }
    }
    const key = harness.items[0]?.key ?? ""
    assert.deepStrictEqual(await harness.chat.readWhole(key), { ok: true, value: true })
    assert.deepStrictEqual(limits, [20, 100])
    assert.strictEqual(texts()[0], LONG)
  })

  it("that it leaves out without a name are known by their time", async () => {
    harness = new ChatHarness(3, (gateway) => {
      const { id: _, seq: __, ...nameless } = leftOut("assistant", "", 1_100).__openclaw
      gateway.messages = [
        user("Write a lot", 1_000, undefined, "q"),
        { ...leftOut("assistant", "", 1_100), __openclaw: nameless }
      ]
      gateway.answers["sessions.get"] = () => ({ messages: stored() })
    })
    await harness.connect()
    assert.deepStrictEqual(texts(), ["Write a lot", ""])
    const key = harness.items[1]?.key ?? ""
    assert.deepStrictEqual(await harness.chat.readWhole(key), { ok: true, value: true })
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
    await harness.chat.resync()
    assert.deepStrictEqual(texts(), ["Write a lot", LONG])
  })

  it("that are missing are explained in a sentence", async () => {
    harness = new ChatHarness(3, (gateway) => {
      gateway.messages = [cut("a", 1_100)]
      gateway.answers["sessions.get"] = () => ({ messages: [] })
    })
    await harness.connect()
    const message = "The gateway no longer has this message."
    assert.deepStrictEqual(await harness.chat.readWhole(harness.items[0]?.key ?? ""), { ok: false, message })
    assert.deepStrictEqual(await harness.chat.readWhole("nothing"), { ok: false, message })
  })
})
