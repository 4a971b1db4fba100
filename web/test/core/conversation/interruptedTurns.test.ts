import { afterEach, assert, describe, it } from "@effect/vitest"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

describe.each([3, 4])("after a reconnect, protocol %i", (protocol) => {
  const connected = async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
  }

  /** The link breaks and comes back a second later. */
  const interrupt = async (meanwhile: () => void = () => {}) => {
    harness.gateway.socket.drop()
    meanwhile()
    await harness.pass(1_100)
  }

  const runId = (id: string) => (protocol === 4 ? id : undefined)

  it("a gateway that forgot everything empties the screen, in the middle of a turn too", async () => {
    await connected()
    const first = await harness.send("first")
    harness.turn(first).start()
    harness.turn(first).final("answered")
    harness.gateway.messages = [
      user("first", 10_000, runId(first)),
      assistant([said("answered")], 10_100, runId(first))
    ]
    await harness.pass(5_000)
    const second = await harness.send("/second")
    const turn = harness.turn(second, 20_000)
    turn.start()
    turn.text("half an ans", "ans")
    await harness.pass(50)
    assert.strictEqual(harness.items.length, 4)
    await interrupt(() => {
      harness.gateway.messages = []
    })
    assert.deepStrictEqual(harness.items, [])
    assert.isFalse(harness.chat.state.get().running)
    await harness.pass(10_000)
    assert.deepStrictEqual(harness.items, [])
  })

  it("what the history never showed of an ended turn leaves", async () => {
    await connected()
    harness.turn(await harness.send("/status")).final("All is well.")
    await harness.pass(10_000)
    assert.deepStrictEqual(harness.shown, ["user: /status", "assistant: All is well."])
    await interrupt()
    assert.deepStrictEqual(harness.items, [])
  })

  it("a history that lags behind is read again until it has what left the screen", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.text("the answer", "answer")
    await interrupt()
    assert.deepStrictEqual(harness.items, [])
    harness.gateway.messages = [user("go", 10_000, runId(id)), assistant([said("the answer")], 10_100, runId(id))]
    await harness.pass(400)
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant: the answer"])
  })

  it("a history that did not come is asked for again, and what was missed meanwhile ends", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.text("the answer", "answer")
    await interrupt(() => {
      harness.gateway.held.add("chat.history")
    })
    // Longer than any request waits for its answer.
    await harness.pass(15_500)
    harness.gateway.held.clear()
    harness.gateway.messages = [user("go", 10_000, runId(id)), assistant([said("the answer")], 10_100, runId(id))]
    await harness.pass(1_200)
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant: the answer"])
    assert.isFalse(harness.chat.state.get().running)
  })

  it("a message that nobody confirmed is sent again under its own id", async () => {
    await connected()
    harness.gateway.held.add("chat.send")
    harness.chat.send("never lose me")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user(sending): never lose me"])
    await interrupt(() => harness.gateway.held.clear())
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: never lose me"])
    const sent = harness.gateway.sockets.flatMap(({ requests }) =>
      requests.flatMap(({ method, params }) => (method === "chat.send" ? [params.idempotencyKey] : []))
    )
    assert.strictEqual(sent.length, 2)
    assert.strictEqual(sent[0], sent[1], "it can never run twice")
  })

  it("a message that waited behind a turn is given back when the gateway forgot both", async () => {
    await connected()
    const turn = harness.turn(await harness.send("first"))
    turn.start()
    turn.text("half", "half")
    // Somebody sent it from elsewhere.
    const item = { runId: "other", state: "queued", message: { content: "second" } }
    harness.gateway.historyExtras = { sessionInfo: { hasActiveRun: true }, pendingInputs: { items: [item] } }
    await harness.chat.resync()
    assert.strictEqual(harness.chat.state.get().queued, 1)
    await interrupt(() => {
      harness.gateway.historyExtras = {}
    })
    await harness.pass(400)
    assert.deepStrictEqual(harness.shown, ["user(failed): second"])
    const taken = await harness.chat.takeBack(harness.items[0]?.key ?? "")
    assert.deepStrictEqual(taken, { ok: true, value: { text: "second", images: [] } })
  })

  it("a turn that still runs stays with its question, and a message behind it keeps waiting", async () => {
    await connected()
    const id = await harness.send("first")
    const turn = harness.turn(id)
    turn.start()
    turn.text("half", "half")
    // An older gateway takes commands meanwhile.
    const text = protocol === 3 ? "/second" : "second"
    const second = await harness.send(text, protocol === 4 ? "steer" : "next")
    await interrupt(() => {
      harness.working = true
      harness.gateway.messages = [user("first", 10_000, runId(id))]
      harness.gateway.historyExtras =
        protocol === 4
          ? {
              sessionInfo: { hasActiveRun: true },
              pendingInputs: { items: [{ runId: second, state: "queued", message: { content: text } }] }
            }
          : {}
    })
    await harness.pass(10_000)
    assert.deepStrictEqual(harness.shown, ["user: first", "assistant…: half", `user(queued): ${text}`])
    assert.isTrue(harness.chat.state.get().running)
  })

  it("a turn that began after the reconnect is not taken away by the page asked before it", async () => {
    await connected()
    harness.gateway.held.add("chat.history")
    await interrupt()
    const asked = harness.gateway.socket.last("chat.history")
    const turn = harness.turn(await harness.send("quick"), 30_000)
    turn.start()
    turn.text("new", "new")
    await harness.pass(50)
    harness.gateway.held.clear()
    harness.gateway.socket.answer(asked, harness.gateway.payload(asked))
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: quick", "assistant…: new"])
  })

  it("a turn that was forgotten does not hide behind one that already runs again", async () => {
    await connected()
    const lost = harness.turn(await harness.send("lost"))
    lost.start()
    lost.text("half an ans", "ans")
    const question = user("another page asks", 20_000, runId("other"))
    await interrupt(() => {
      harness.working = true
      harness.gateway.messages = [question]
      harness.gateway.historyExtras = protocol === 4 ? { sessionInfo: { hasActiveRun: true } } : {}
    })
    const other = harness.turn("other", 20_000)
    other.start()
    other.text("an answer", "answer")
    await harness.pass(500)
    harness.working = false
    harness.gateway.messages = [question, assistant([said("an answer")], 20_100, runId("other"))]
    harness.gateway.historyExtras = protocol === 4 ? { sessionInfo: { hasActiveRun: false } } : {}
    other.final("an answer")
    await harness.pass(10_000)
    assert.deepStrictEqual(harness.shown, ["user: another page asks", "assistant: an answer"])
    assert.isFalse(harness.chat.state.get().running)
  })
})
