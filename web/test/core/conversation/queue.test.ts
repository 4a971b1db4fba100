import { afterEach, assert, describe, it } from "@effect/vitest"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const sent = () =>
  harness.gateway.socket.requests.flatMap(({ method, params }) =>
    method === "chat.send" ? [`${params.message}${params.queueMode === undefined ? "" : ` (${params.queueMode})`}`] : []
  )
const busy = async (protocol = 4) => {
  harness = new ChatHarness(protocol)
  await harness.connect()
  const id = await harness.send("first")
  const turn = harness.turn(id, 10_000)
  turn.start()
  turn.text("on it", "on it")
  return { id, turn }
}
const hold = (text: string) => {
  harness.chat.send(text)
  return harness.users.at(-1)?.key ?? ""
}

for (const protocol of [3, 4]) {
  describe(`messages written while the agent works, protocol ${protocol}`, () => {
    it("are held in this page and sent one after the other, in their order, as turns end", async () => {
      const { id, turn } = await busy(protocol)
      hold("second")
      hold("third")
      assert.deepStrictEqual(sent(), ["first"])
      assert.deepStrictEqual(harness.shown, [
        "user: first",
        "assistant…: on it",
        "user(held): second",
        "user(held): third"
      ])
      assert.strictEqual(harness.chat.state.get().queued, 2)
      harness.gateway.messages = [user("first", 10_000, id), assistant([said("on it")], 10_010, id)]
      turn.final("on it")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", "second"])
      assert.deepStrictEqual(harness.shown, ["user: first", "assistant: on it", "user: second", "user(held): third"])
      // What is written now comes behind what waits already.
      hold("fourth")
      const next = String(harness.gateway.socket.last("chat.send").params.idempotencyKey)
      const reply = harness.turn(next, 20_000)
      reply.start()
      reply.final("done")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", "second", "third"])
      assert.deepStrictEqual(harness.shown.slice(-2), ["user: third", "user(held): fourth"])
    })

    it("can be taken back, one by one or all at once", async () => {
      await busy(protocol)
      const second = hold("second")
      hold("third")
      hold("fourth")
      assert.deepStrictEqual(harness.chat.takeBack(second), { text: "second", images: [] })
      assert.deepStrictEqual(
        harness.chat.takeHeld().map(({ text }) => text),
        ["third", "fourth"]
      )
      assert.deepStrictEqual(harness.shown, ["user: first", "assistant…: on it"])
      assert.deepStrictEqual(sent(), ["first"])
    })

    it("are given back with a reason when the answer before them failed or was stopped elsewhere", async () => {
      const { turn } = await busy(protocol)
      hold("second")
      turn.chat("error", { errorMessage: "HTTP 500" })
      await harness.pass(5_000)
      assert.deepStrictEqual(harness.users.at(-1)?.delivery, "failed")
      assert.strictEqual(harness.users.at(-1)?.error, "Not sent because the previous response failed.")
      assert.deepStrictEqual(sent(), ["first"])
    })

    it("wait through an interruption, and are given back when the session was emptied meanwhile", async () => {
      await busy(protocol)
      hold("second")
      harness.gateway.socket.drop()
      await harness.pass(2_000)
      await harness.pass(5_000)
      assert.deepStrictEqual(harness.shown, ["user(failed): second"])
      assert.deepStrictEqual(sent(), [])
    })
  })
}

describe("steering", () => {
  it("hands a message to the running turn where the gateway can", async () => {
    await busy(4)
    harness.chat.send("look left", [], true)
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "look left (steer)"])
    const held = hold("later")
    assert.deepStrictEqual(await harness.chat.steer(held), { ok: true, value: true })
    assert.deepStrictEqual(sent(), ["first", "look left (steer)", "later (steer)"])
    // They don't wait for the end of the turn.
    assert.deepStrictEqual(
      harness.users.map(({ isHanded }) => isHanded === true),
      [false, true, true]
    )
    assert.isTrue(harness.chat.state.get().running)
  })

  it("stops the turn and sends the message where it cannot; what else waits goes on waiting", async () => {
    const { id, turn } = await busy(3)
    hold("later")
    const steered = hold("look left")
    harness.gateway.answers["chat.abort"] = () => {
      turn.aborted("on it")
      return { ok: true, aborted: true, runIds: [id] }
    }
    assert.isTrue((await harness.chat.steer(steered)).ok)
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "look left"])
    assert.strictEqual(harness.users.find(({ text }) => text === "later")?.delivery, "held")
  })
})

describe("a command written while the agent works", () => {
  it("is answered in between by an older gateway", async () => {
    await busy(3)
    harness.chat.send("/status")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status"])
    // Wanted at once, it stops nothing either.
    harness.chat.send("/status", [], true)
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status", "/status"])
    assert.isFalse(harness.gateway.socket.requests.some(({ method }) => method === "chat.abort"))
  })

  for (const steer of [false, true])
    it(`waits for the response of a newer gateway, which it would end, ${steer ? "even if wanted now" : "and is sent then"}`, async () => {
      const { id, turn } = await busy(4)
      harness.chat.send(" /status", [], steer)
      harness.chat.send("and then this")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first"])
      const [, command] = harness.users
      assert.strictEqual(command?.delivery, "held")
      assert.isFalse((await harness.chat.steer(command?.key ?? "")).ok)
      assert.deepStrictEqual(sent(), ["first"])
      harness.gateway.messages = [user("first", 10_000, id), assistant([said("on it")], 10_010, id)]
      turn.final("on it")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", " /status"])
    })

  it("waits for a message that a newer gateway hasn't taken yet, and a message waits for a command", async () => {
    harness = new ChatHarness(4)
    await harness.connect()
    harness.gateway.held.add("chat.send")
    harness.chat.send("first")
    harness.chat.send("/status")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first"])
    harness.gateway.socket.refuse(harness.gateway.socket.last("chat.send"), "FORBIDDEN", "missing scope", {})
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status"], "nothing is left to wait for")
    harness.chat.send("third")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status"])
    assert.deepStrictEqual(
      harness.users.map(({ delivery }) => delivery),
      ["failed", "sending", "held"]
    )
    // One that failed waits, too, when it's sent again.
    harness.chat.retry(harness.users[0]?.key ?? "")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status"])
  })

  for (const protocol of [3, 4])
    it(`is sent at once if the response waits for it, protocol ${protocol}`, async () => {
      await busy(protocol)
      harness.chat.send("/approve a1 allow-once")
      harness.chat.send("/stop")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", "/approve a1 allow-once", "/stop"])
    })
})
