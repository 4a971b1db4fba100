import { afterEach, assert, describe, it } from "@effect/vitest"
import { ChatHarness, shortOf } from "../support/chatHarness.ts"
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
const hold = async (text: string) => {
  harness.chat.send(text)
  await harness.settle()
  return harness.users.at(-1)?.key ?? ""
}

for (const protocol of [3, 4]) {
  describe(`messages written while the agent works, protocol ${protocol}`, () => {
    it("wait at the console and are sent one after the other, in their order, as turns end", async () => {
      const { id, turn } = await busy(protocol)
      await hold("second")
      await hold("third")
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
      await hold("fourth")
      const next = String(harness.gateway.socket.last("chat.send").params.idempotencyKey)
      const reply = harness.turn(next, 20_000)
      reply.start()
      reply.final("done")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", "second", "third"])
      assert.deepStrictEqual(harness.shown.slice(-2), ["user: third", "user(held): fourth"])
    })

    it("stay ahead of what is written while the console is away, in its place from the start", async () => {
      await busy(protocol)
      await hold("second")
      harness.console.isAway = true
      await hold("third")
      await hold("fourth")
      const order = ["user: first", "assistant…: on it", "user(held): second"]
      assert.deepStrictEqual(harness.shown, [...order, "user(sending): third", "user(sending): fourth"])
      // Reading the history leaves them there.
      harness.working = true
      harness.gateway.historyExtras = { sessionInfo: { hasActiveRun: true } }
      await harness.chat.resync()
      await harness.settle()
      assert.deepStrictEqual(harness.shown.slice(2), [
        "user(held): second",
        "user(sending): third",
        "user(sending): fourth"
      ])
    })

    it("can be taken back, one by one", async () => {
      await busy(protocol)
      const second = await hold("second")
      await hold("third")
      assert.deepStrictEqual(await harness.chat.takeBack(second), { ok: true, value: { text: "second", images: [] } })
      assert.deepStrictEqual(harness.shown, ["user: first", "assistant…: on it", "user(held): third"])
      assert.deepStrictEqual(sent(), ["first"])
    })

    it("are given back with a reason when the answer before them failed", async () => {
      const { turn } = await busy(protocol)
      const second = await hold("second")
      turn.chat("error", { errorMessage: "HTTP 500" })
      await harness.pass(5_000)
      assert.deepStrictEqual(harness.users.at(-1)?.delivery, "failed")
      assert.strictEqual(harness.users.at(-1)?.error, "Not sent because the previous response failed.")
      assert.deepStrictEqual(sent(), ["first"])
      harness.chat.retry(second)
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", "second"])
      assert.deepStrictEqual(harness.shown.at(-1), "user: second")
    })

    it("outlive this page, and are the same on another", async () => {
      await busy(protocol)
      await hold("second")
      harness.working = true
      harness.gateway.historyExtras = { sessionInfo: { hasActiveRun: true } }
      harness.chat.dispose()
      harness.chat = harness.open()
      await harness.settle()
      assert.deepStrictEqual(harness.shown.at(-1), "user(held): second")
      const other = harness.open()
      await hold("third")
      await harness.settle()
      assert.deepStrictEqual(other.state.get().items.slice(-2).map(shortOf), [
        "user(held): second",
        "user(held): third"
      ])
      other.dispose()
    })

    it("wait for the gateway, also the first one of a page", async () => {
      harness = new ChatHarness(protocol)
      harness.chat.send("early")
      await harness.settle()
      assert.deepStrictEqual(harness.shown, ["user(held): early"])
      assert.strictEqual(harness.chat.state.get().activity, "IDLE")
      await harness.connect()
      assert.deepStrictEqual(sent(), ["early"])
      assert.deepStrictEqual(harness.shown, ["user: early"])
    })

    it("stay in this browser while the console can't be reached, and go to it once, in their order", async () => {
      await busy(protocol)
      harness.console.isAway = true
      harness.chat.send("second")
      harness.chat.send("third", [{ mimeType: "image/png", fileName: "a.png", content: "AAAA" }])
      await harness.settle()
      assert.deepStrictEqual(harness.shown.slice(-2), ["user(sending): second", "user(sending): third"])
      assert.strictEqual(harness.users[1]?.waits?.state, "away")
      assert.deepStrictEqual(
        [...harness.kept.values()].map(({ text }) => text),
        ["second", "third"]
      )
      // The page is closed, and another one opened.
      harness.reopen()
      await harness.settle()
      assert.deepStrictEqual(harness.shown.slice(-2), ["user(sending): second", "user(sending): third"])
      harness.console.isAway = false
      await harness.pass(6_000)
      assert.deepStrictEqual(
        harness.console.items.map(({ text, attachments }) => `${text} ${attachments?.length}`),
        ["first 0", "second 0", "third 1"]
      )
      assert.deepStrictEqual(harness.shown.slice(-2), ["user(held): second", "user(held): third"])
      assert.strictEqual(harness.kept.size, 0)
    })
  })
}

describe("a message that the console may or may not have", () => {
  it("is taken back there, too, once it can be reached", async () => {
    await busy(4)
    harness.console.isAway = true
    harness.chat.send("second")
    await harness.settle()
    const key = harness.users.at(-1)?.key ?? ""
    assert.isFalse((await harness.chat.takeBack(key)).ok, "nobody knows where it is")
  })
})

describe("sending at once", () => {
  it("hands a message to the running turn where the gateway can", async () => {
    await busy(4)
    harness.chat.send("look left", [], "steer")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "look left (steer)"])
    // It doesn't wait for the end of the turn.
    assert.deepStrictEqual(
      harness.users.map(({ delivery, isHanded }) => `${delivery} ${isHanded === true}`),
      ["sent false", "queued true"]
    )
    assert.isTrue(harness.chat.state.get().running)
  })

  it("stops the turn and sends the message where it can't; what else waits goes on waiting", async () => {
    const { id, turn } = await busy(3)
    await hold("later")
    harness.gateway.answers["chat.abort"] = () => {
      turn.aborted("on it")
      return { ok: true, aborted: true, runIds: [id] }
    }
    harness.chat.send("look left", [], "interrupt")
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
    harness.chat.send("/status", [], "interrupt")
    await harness.settle()
    assert.deepStrictEqual(sent(), ["first", "/status", "/status"])
    assert.isFalse(harness.gateway.socket.requests.some(({ method }) => method === "chat.abort"))
  })

  for (const steer of [false, true])
    it(`waits for the response of a newer gateway, which it would end, ${steer ? "even if wanted now" : "and is sent then"}`, async () => {
      const { id, turn } = await busy(4)
      harness.chat.send(" /status", [], steer ? "steer" : "next")
      harness.chat.send("and then this")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first"])
      const [, command] = harness.users
      assert.strictEqual(command?.delivery, "held")
      harness.gateway.messages = [user("first", 10_000, id), assistant([said("on it")], 10_010, id)]
      turn.final("on it")
      await harness.settle()
      assert.deepStrictEqual(sent(), ["first", " /status"])
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
