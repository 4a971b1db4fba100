import { afterEach, assert, describe, it } from "@effect/vitest"
import type { TurnEnd } from "../../../src/core/conversation/chatTypes.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, said, toolResult, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

async function connected(protocol = 4): Promise<void> {
  harness = new ChatHarness(protocol)
  await harness.connect()
}

describe("races", () => {
  it("1: frames of an old socket do not reach the chat", async () => {
    await connected()
    const old = harness.gateway.socket
    old.drop()
    await harness.pass(1_100)
    old.event("chat", { runId: "ghost", sessionKey: "agent:main:main", state: "final", message: { content: "boo" } })
    await harness.settle()
    assert.deepStrictEqual(harness.items, [])
  })

  it("2: frames of another session do not reach the chat", async () => {
    await connected()
    const other = harness.open("agent:main:other")
    await harness.settle()
    const turn = harness.turn("r1")
    turn.start()
    turn.text("for main only", "for main only")
    await harness.settle()
    assert.deepStrictEqual(other.state.get().items, [])
    assert.isFalse(other.state.get().running)
    other.dispose()
  })

  it("3: a history read while a turn runs neither ends it nor takes its tail", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.text("begin", "begin")
    harness.gateway.held.add("chat.history")
    const reading = harness.chat.resync()
    const asked = harness.gateway.socket.last("chat.history")
    await harness.pass(5)
    turn.text("begin and more", " and more")
    harness.gateway.socket.answer(asked, {
      messages: [user("go", 10_000, id)],
      sessionInfo: { hasActiveRun: false }
    })
    await reading
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant…: begin and more"])
    assert.isTrue(harness.chat.state.get().running)
  })

  it("4: an older history answer that comes after a newer one is thrown away", async () => {
    await connected()
    harness.gateway.held.add("chat.history")
    const first = harness.chat.resync()
    const older = harness.gateway.socket.last("chat.history")
    const second = harness.chat.resync()
    const newer = harness.gateway.socket.last("chat.history")
    harness.gateway.socket.answer(newer, { messages: [user("a", 1, "r1"), assistant([said("b")], 2, "r1")] })
    harness.gateway.socket.answer(older, { messages: [user("a", 1, "r1")] })
    await Promise.all([first, second])
    assert.deepStrictEqual(harness.shown, ["user: a", "assistant: b"])
  })

  it("5: a late tool result does not reopen a turn that has ended", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.tool("start", "c1", { args: {} })
    turn.tool("result", "c1", { isError: false, result: { content: [said("done")] } })
    turn.final("ok")
    await harness.settle()
    const before = harness.shown
    turn.tool("update", "c1", { partialResult: { content: [said("again")] } })
    turn.tool("start", "c9", { args: {} })
    turn.text("late", "late")
    turn.delta("late")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, before)
    assert.isFalse(harness.chat.state.get().running)
  })

  it("6: a late refusal of a message whose turn runs does not mark it failed", async () => {
    await connected()
    harness.gateway.held.add("chat.send")
    harness.chat.send("hello")
    await harness.settle()
    const request = harness.gateway.socket.last("chat.send")
    harness.turn(String(request.params.idempotencyKey)).start()
    harness.gateway.socket.refuse(request, "UNAVAILABLE", "late")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: hello"])
  })

  it("7: a message whose answer was lost and that came through later is there once", async () => {
    await connected()
    harness.gateway.held.add("chat.send")
    harness.chat.send("hello")
    await harness.settle()
    const id = String(harness.gateway.socket.last("chat.send").params.idempotencyKey)
    harness.gateway.socket.drop()
    harness.gateway.held.delete("chat.send")
    const key = harness.users[0]?.key
    await harness.pass(1_100)
    await harness.settle()
    assert.strictEqual(harness.gateway.socket.last("chat.send").params.idempotencyKey, id, "it can never run twice")
    assert.deepStrictEqual(harness.shown, ["user: hello"])
    harness.gateway.messages = [user("hello", 10_000, id), assistant([said("hi")], 10_010, id)]
    const turn = harness.turn(id)
    turn.start()
    turn.final("hi")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: hello", "assistant: hi"])
    assert.strictEqual(harness.items[0]?.key, key)
  })

  it.each([3, 4])(
    "8: a message whose answer got lost with the link is found in the history, protocol %i",
    async (protocol) => {
      await connected(protocol)
      harness.gateway.held.add("chat.send")
      harness.chat.send("hello")
      await harness.settle()
      const id = String(harness.gateway.socket.last("chat.send").params.idempotencyKey)
      const stored = protocol === 4 ? id : undefined
      harness.gateway.messages = [user("hello", 10_000, stored), assistant([said("hi")], 10_010, stored)]
      harness.gateway.socket.drop()
      await harness.pass(1_100)
      assert.deepStrictEqual(harness.shown, ["user: hello", "assistant: hi"])
      assert.strictEqual(harness.gateway.socket.requests.filter(({ method }) => method === "chat.send").length, 0)
    }
  )

  it("9: a refused message gives its text back, and a retry runs under a key of its own", async () => {
    await connected()
    harness.gateway.held.add("chat.send")
    harness.chat.send("hello")
    await harness.settle()
    const request = harness.gateway.socket.last("chat.send")
    harness.gateway.socket.refuse(request, "FORBIDDEN", "missing scope", { code: "MISSING_SCOPE" })
    await harness.settle()
    assert.strictEqual(harness.users[0]?.error, "missing scope")
    assert.strictEqual(harness.chat.state.get().activity, "IDLE")
    harness.gateway.held.delete("chat.send")
    const key = harness.users[0]?.key ?? ""
    harness.chat.retry(key)
    await harness.settle()
    assert.notStrictEqual(harness.gateway.socket.last("chat.send").params.idempotencyKey, request.params.idempotencyKey)
    assert.isFalse((await harness.chat.takeBack(key)).ok, "a delivered message is not taken back")
    harness.link.close()
    harness.chat.send("offline")
    await harness.settle()
    assert.strictEqual(harness.users[1]?.delivery, "held")
    const taken = await harness.chat.takeBack(harness.users[1]?.key ?? "")
    assert.deepStrictEqual(taken, { ok: true, value: { text: "offline", images: [] } })
    assert.strictEqual(harness.users.length, 1)
  })

  it("10: a final that was missed is noticed, and a turn that began after the question is not ended by its answer", async () => {
    await connected()
    const first = await harness.send("one")
    harness.turn(first).start()
    await harness.pass(10)
    harness.gateway.held.add("chat.history")
    const reading = harness.chat.resync()
    const asked = harness.gateway.socket.last("chat.history")
    await harness.pass(10)
    harness.turn("later", 20_000).start()
    harness.gateway.socket.answer(asked, {
      messages: [user("one", 10_000, first), assistant([said("done")], 10_010, first)],
      sessionInfo: { hasActiveRun: false }
    })
    await reading
    assert.deepStrictEqual(harness.shown, ["user: one", "assistant: done"])
    assert.isTrue(harness.chat.state.get().running)
  })

  it("11: a stop that comes too late stops nothing and says so", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.text("all of it", "all of it")
    harness.gateway.answers["chat.abort"] = () => ({ ok: true, aborted: false, runIds: [] })
    const ends: Array<TurnEnd> = []
    const stopping = harness.chat.abort()
    harness.chat.onTurnEnd((end) => ends.push(end))
    turn.final("all of it")
    assert.deepStrictEqual(await stopping, { ok: false, message: "The gateway has no response to stop." })
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant: all of it"])
    assert.isFalse(harness.chat.state.get().aborting)
  })

  it("12: a stop also cancels what waits, and gives it back", async () => {
    await connected()
    const first = await harness.send("first")
    const turn = harness.turn(first)
    turn.start()
    const second = await harness.send("second", "steer")
    harness.turn(second).final(null)
    harness.gateway.answers["chat.abort"] = () => ({ ok: true, aborted: true, runIds: [second, first] })
    const stopping = harness.chat.abort()
    turn.aborted(null)
    assert.isTrue((await stopping).ok)
    assert.deepStrictEqual(harness.shown, ["user: first", "aborted", "user(failed): second"])
    harness.console.giveBack(second, "Stopped before the agent read it.")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: first", "aborted", "user(failed): second"])
    const taken = await harness.chat.takeBack(harness.users[1]?.key ?? "")
    assert.deepStrictEqual(taken, { ok: true, value: { text: "second", images: [] } })
  })

  it("12b: what was cancelled elsewhere is given back, too", async () => {
    await connected()
    const first = await harness.send("first")
    harness.turn(first).start()
    // Somebody sent it from elsewhere.
    const waits = (state: string) => ({
      pendingInputs: { items: [{ runId: "other", state, message: { content: "second", timestamp: 5 } }] }
    })
    harness.gateway.historyExtras = waits("queued")
    await harness.chat.resync()
    assert.strictEqual(harness.users[1]?.delivery, "queued")
    harness.gateway.historyExtras = waits("cancelled")
    await harness.chat.resync()
    assert.strictEqual(harness.users[1]?.delivery, "failed")
    const taken = await harness.chat.takeBack(harness.users[1]?.key ?? "")
    assert.deepStrictEqual(taken, { ok: true, value: { text: "second", images: [] } })
  })

  it("12c: a message that failed keeps its place when the history is read", async () => {
    await connected()
    harness.gateway.messages = [user("a", 1, "r1"), assistant([said("b")], 2, "r1")]
    await harness.chat.resync()
    harness.gateway.held.add("chat.send")
    harness.chat.send("lost")
    await harness.settle()
    harness.gateway.socket.refuse(harness.gateway.socket.last("chat.send"), "FORBIDDEN", "missing scope")
    await harness.settle()
    harness.gateway.messages = [...harness.gateway.messages, user("c", 3, "r2"), assistant([said("d")], 4, "r2")]
    await harness.chat.resync()
    const shown = ["user: a", "assistant: b", "user(failed): lost", "user: c", "assistant: d"]
    assert.deepStrictEqual(harness.shown, shown)
    await harness.chat.resync()
    assert.deepStrictEqual(harness.shown, shown)
  })

  it("12d: a command that an older gateway answers while a turn runs shows its answer", async () => {
    await connected(3)
    const first = await harness.send("first")
    harness.turn(first).start()
    const command = await harness.send("/status")
    harness.turn(command).final("All is well.")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: first", "user: /status", "assistant: All is well."])
    assert.isTrue(harness.chat.state.get().running)
    const third = await harness.send("/third")
    harness.turn(third).chat("error", { errorMessage: "HTTP 400" })
    assert.deepStrictEqual(harness.shown.slice(-2), [
      "user: /third",
      "error: The model's provider rejected the request. Try another model."
    ])
  })

  it("13: a session that was reset is empty at once", async () => {
    await connected()
    harness.gateway.messages = [user("a", 1, "r1"), assistant([said("b")], 2, "r1")]
    await harness.chat.resync()
    assert.strictEqual(harness.items.length, 2)
    harness.gateway.messages = []
    harness.gateway.socket.event("sessions.changed", { sessionKey: "agent:main:main", reason: "reset" })
    await harness.pass(200)
    assert.deepStrictEqual(harness.items, [])
  })

  it("13b: a turn that ran when its session was deleted elsewhere goes with it", async () => {
    await connected()
    harness.turn(await harness.send("first")).text("half", "half")
    await harness.pass(50)
    assert.strictEqual(harness.items.length, 2)
    harness.gateway.socket.event("sessions.changed", { sessionKey: "agent:main:main", reason: "delete" })
    await harness.pass(200)
    assert.deepStrictEqual(harness.items, [])
    assert.isFalse(harness.chat.state.get().running)
  })

  it("13c: a turn that ended in the very moment its session was reset goes with it", async () => {
    await connected()
    const turn = harness.turn(await harness.send("first"))
    turn.text("half", "half")
    await harness.pass(50)
    turn.chat("aborted", { stopReason: "rpc" })
    harness.gateway.socket.event("sessions.changed", { sessionKey: "agent:main:main", reason: "reset" })
    await harness.pass(200)
    assert.deepStrictEqual(harness.items, [])
    await harness.pass(5_000)
    assert.deepStrictEqual(harness.items, [])
  })

  it("14: an end that only the lifecycle reports ends the turn", async () => {
    await connected()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.agent("lifecycle", { phase: "end", endedAt: 10_500 })
    assert.isTrue(harness.chat.state.get().running)
    await harness.pass(3_100)
    assert.isFalse(harness.chat.state.get().running)
  })

  it("15: jumping event numbers lead to one read of everything", async () => {
    await connected()
    harness.gateway.messages = [
      user("missed", 1, "r1"),
      assistant([call("c1")], 2, "r1"),
      toolResult("c1", "x", 3, "r1")
    ]
    harness.gateway.socket.event("tick", {}, 1)
    harness.gateway.socket.event("tick", {}, 9)
    harness.gateway.socket.event("tick", {}, 20)
    await harness.pass(1_100)
    assert.deepStrictEqual(harness.shown, ["user: missed", "tool exec done: x"])
    assert.strictEqual(harness.gateway.socket.requests.filter(({ method }) => method === "chat.history").length, 2)
  })

  it("16: a silent turn is checked, and ended when the gateway knows of none", async () => {
    await connected(3)
    const id = await harness.send("go")
    harness.turn(id).start()
    harness.gateway.messages = [user("go", 10_000), assistant([said("unheard")], 10_010)]
    harness.gateway.tickIntervalMs = 30_000
    for (let second = 0; second < 65; second += 5) {
      harness.gateway.socket.event("tick", {})
      await harness.pass(5_000)
    }
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant: unheard"])
    assert.isFalse(harness.chat.state.get().running)
  })

  it("17: messages that wait at the gateway show after a reload", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [user("first", 10_000, "r1")]
      gateway.historyExtras = {
        inFlightRun: { runId: "r1", text: "", startedAt: 10_000 },
        pendingInputs: { items: [{ runId: "r2", state: "queued", message: { content: "second", timestamp: 10_500 } }] }
      }
    })
    await harness.connect()
    assert.deepStrictEqual(harness.shown, ["user: first", "user(queued): second"])
    await harness.chat.resync()
    assert.deepStrictEqual(harness.shown, ["user: first", "user(queued): second"])
  })

  it("18: a tool at work that was called through another is shown once after a reload", async () => {
    const wrapped = { id: "ask_user", args: { questions: [] } }
    const nested = {
      phase: "start",
      name: "ask_user",
      toolCallId: "tool_search_code:c1:ask_user:1",
      args: wrapped.args
    }
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [
        user("go", 10_000, "r1"),
        assistant([{ ...call("c1", wrapped), name: "tool_call" }], 10_100, "r1")
      ]
      gateway.historyExtras = {
        inFlightRun: {
          runId: "r1",
          text: "",
          startedAt: 10_000,
          // What the gateway repeats of a nested call does not name its parent.
          events: [
            {
              runId: "r1",
              seq: 8,
              stream: "tool",
              ts: 10_200,
              data: { phase: "start", name: "tool_call", toolCallId: "c1", args: wrapped }
            },
            { runId: "r1", seq: 10, stream: "tool", ts: 10_300, data: nested }
          ]
        }
      }
    })
    await harness.connect()
    assert.deepStrictEqual(harness.shown, ["user: go", "tool ask_user running: "])
  })
})
