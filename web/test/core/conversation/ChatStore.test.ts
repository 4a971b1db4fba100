import { afterEach, assert, describe, it } from "@effect/vitest"
import type { TurnEnd } from "../../../src/core/conversation/chatTypes.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, KEY, said, toolResult, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const both = [3, 4] as const

describe.each(both)("a turn, protocol %i", (protocol) => {
  /** What this generation keeps of a turn: one names the run, the other does not. */
  const run = (id: string) => (protocol === 4 ? id : undefined)

  it("shows the message at once, streams the answer and keeps its keys when the history comes", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    assert.strictEqual(harness.chat.state.get().status, "ready")
    harness.chat.send("hello")
    assert.deepStrictEqual(harness.shown, ["user(sending): hello"])
    await harness.settle()
    const id = String(harness.gateway.socket.last("chat.send").params.idempotencyKey)
    assert.deepStrictEqual(harness.shown, ["user: hello"])
    assert.deepStrictEqual([harness.chat.state.get().running, harness.chat.state.get().activity], [true, "THINKING"])
    const turn = harness.turn(id)
    turn.start()
    turn.text("ech", "ech")
    turn.delta("ech")
    turn.text("echo: hello", "o: hello")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: hello", "assistant…: echo: hello"])
    assert.strictEqual(harness.chat.state.get().activity, "STREAMING")
    const keys = harness.items.map(({ key }) => key)
    harness.gateway.messages = [user("hello", 10_000, run(id)), assistant([said("echo: hello")], 10_010, run(id))]
    turn.delta("echo: hello")
    turn.final("echo: hello")
    assert.deepStrictEqual(harness.shown, ["user: hello", "assistant: echo: hello"])
    assert.strictEqual(harness.chat.state.get().activity, "DONE")
    await harness.settle()
    assert.deepStrictEqual(
      harness.items.map(({ key }) => key),
      keys
    )
    assert.deepStrictEqual(harness.shown, ["user: hello", "assistant: echo: hello"])
    await harness.pass(3_000)
    assert.strictEqual(harness.chat.state.get().activity, "IDLE")
    const settled = harness.items
    await harness.chat.resync()
    assert.deepStrictEqual(harness.items, settled)
    assert.isTrue(
      harness.items.every((item, index) => item === settled[index]),
      "unchanged items keep their identity"
    )
  })

  it("text before and after tools stays in parts, and the history's parts take their place", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    const id = await harness.send("run")
    const turn = harness.turn(id)
    turn.start()
    turn.text("Let me look.", "Let me look.")
    turn.tool("start", "c1", { args: { command: "ls" } })
    turn.tool("update", "c1", { partialResult: { content: [said("a")] } })
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: run", "assistant: Let me look.", "tool exec running: a"])
    turn.tool("result", "c1", {
      isError: false,
      meta: "list files",
      ...(protocol === 4 ? { result: { content: [said("a b")], details: { durationMs: 54 } } } : {})
    })
    turn.text("Do", "Do")
    turn.delta("Let me look.\n\nDo")
    turn.text("Done.", "ne.")
    await harness.settle()
    const output = protocol === 4 ? "a b" : "a"
    assert.deepStrictEqual(harness.shown, [
      "user: run",
      "assistant: Let me look.",
      `tool exec done: ${output}`,
      "assistant…: Done."
    ])
    const keys = harness.items.map(({ key }) => key)
    harness.gateway.messages = [
      user("run", 10_000, run(id)),
      assistant([said("Let me look."), call("c1", { command: "ls" })], 10_010, run(id), { stopReason: "toolUse" }),
      toolResult("c1", "a b", 10_020, run(id)),
      assistant([said("Done.")], 10_030, run(id))
    ]
    turn.final("Let me look.\n\nDone.")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, [
      "user: run",
      "assistant: Let me look.",
      "tool exec done: a b",
      "assistant: Done."
    ])
    assert.deepStrictEqual(
      harness.items.map(({ key }) => key),
      keys
    )
    const tool = harness.items[2]
    assert.isTrue(
      tool?.kind === "tool" && tool.title === "list files" && JSON.stringify(tool.args) === '{"command":"ls"}'
    )
  })

  it("reports its end with the parts as they're shown, whatever the gateway joins them to", async () => {
    harness = new ChatHarness(protocol)
    const ends: Array<TurnEnd> = []
    await harness.connect()
    harness.chat.onTurnEnd((end) => ends.push(end))
    const id = await harness.send("run")
    const turn = harness.turn(id)
    turn.start()
    turn.text("let me look", "let me look")
    turn.tool("start", "c1", { args: { command: "echo hi" } })
    turn.tool("result", "c1", { isError: false })
    turn.text("tooldone", "tooldone")
    turn.final("let me looktoldone")
    assert.deepStrictEqual(
      ends.map(({ text }) => text),
      ["let me look\n\ntooldone"]
    )
  })

  it("reports its end with the text that came with it where no part was heard to its end", async () => {
    harness = new ChatHarness(protocol)
    const ends: Array<TurnEnd> = []
    await harness.connect()
    harness.chat.onTurnEnd((end) => ends.push(end))
    for (const heard of ["", "All of"]) {
      const turn = harness.turn(await harness.send("run"))
      turn.start()
      if (heard !== "") turn.text(heard, heard)
      turn.final("All of it.")
      await harness.settle()
    }
    assert.deepStrictEqual(
      ends.map(({ text }) => text),
      ["All of it.", "All of it."]
    )
  })

  it("a history that lags behind is read again, and nothing vanishes meanwhile", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    const id = await harness.send("hi")
    const turn = harness.turn(id)
    turn.start()
    turn.text("answer", "answer")
    turn.final("answer")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: hi", "assistant: answer"])
    harness.gateway.messages = [user("hi", 10_000, run(id)), assistant([said("answer")], 10_010, run(id))]
    await harness.pass(300)
    assert.deepStrictEqual(harness.shown, ["user: hi", "assistant: answer"])
    const reads = harness.gateway.socket.requests.filter(({ method }) => method === "chat.history").length
    await harness.pass(10_000)
    assert.strictEqual(harness.gateway.socket.requests.filter(({ method }) => method === "chat.history").length, reads)
  })

  it("a stop keeps what was said, says so once, and ignores what comes later", async () => {
    harness = new ChatHarness(protocol)
    const ends: Array<TurnEnd> = []
    await harness.connect()
    harness.chat.onTurnEnd((end) => ends.push(end))
    const id = await harness.send("long")
    const turn = harness.turn(id)
    turn.start()
    turn.text("par", "par")
    turn.tool("start", "c1", { args: {} })
    harness.gateway.answers["chat.abort"] = () => ({ ok: true, aborted: true, runIds: [id] })
    const stopping = harness.chat.abort()
    assert.isTrue(harness.chat.state.get().aborting)
    turn.aborted("par")
    turn.agent("lifecycle", { phase: "error", error: "aborted" })
    turn.text("partial text after the stop", "x")
    turn.tool("result", "c1", { isError: false, result: { content: [said("late")] } })
    turn.chat("error", { errorMessage: "aborted" })
    assert.isTrue((await stopping).ok)
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: long", "assistant: par", "tool exec aborted: ", "aborted"])
    assert.deepStrictEqual([harness.chat.state.get().running, harness.chat.state.get().activity], [false, "IDLE"])
    assert.deepStrictEqual(ends, [], "an own stop does not notify")
    const note = { openclawAbort: { aborted: true, runId: id }, provider: "openclaw", model: "gateway-injected" }
    harness.gateway.messages = [
      user("long", 10_000, run(id)),
      assistant([said("par"), call("c1")], 10_010, run(id), { stopReason: "toolUse" }),
      assistant([said("par")], 10_050, run(id), note),
      ...(protocol === 3 ? [assistant([said("par")], 10_010, undefined, { stopReason: "aborted" })] : [])
    ]
    await harness.pass(300)
    assert.strictEqual(harness.shown.filter((item) => item === "aborted").length, 1)
    assert.strictEqual(harness.shown.filter((item) => item.startsWith("tool")).length, 1)
  })

  it("the first error counts, in a sentence, and a second one is ignored", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    const id = await harness.send("fail")
    const turn = harness.turn(id)
    turn.start()
    turn.chat("error", { errorMessage: "HTTP 429: sk-secret slow down /home/me" })
    turn.chat("error", { errorMessage: "⚠️ Agent failed before reply. run `openclaw logs`" })
    await harness.settle()
    const errors = harness.items.filter(({ kind }) => kind === "error")
    assert.strictEqual(errors.length, 1)
    assert.match(harness.shown[1] ?? "", /limiting requests/)
    assert.notInclude(harness.shown.join(), "sk-secret")
    harness.gateway.messages = [
      user("fail", 10_000, run(id)),
      assistant([], 10_010, run(id), { stopReason: "error", errorMessage: "429 slow down" })
    ]
    await harness.pass(300)
    assert.strictEqual(harness.shown.length, 2)
    assert.strictEqual(harness.items[1]?.key, errors[0]?.key)
  })

  it("a turn of somebody else shows with its question", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    harness.gateway.messages = [user("from the phone", 10_000, run("other"))]
    const turn = harness.turn("other")
    turn.start()
    turn.text("sure", "sure")
    await harness.pass(200)
    assert.deepStrictEqual(harness.shown, ["user: from the phone", "assistant…: sure"])
    assert.isTrue(harness.chat.state.get().running)
  })

  it("a message that waits at the gateway behind a turn is queued, and its reply comes under an unknown run", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    const first = await harness.send("first")
    const turn = harness.turn(first, 10_000)
    turn.start()
    turn.text("on it", "on it")
    // A newer gateway's response holds back all that isn't handed to it, an older one's everything but commands.
    const text = protocol === 4 ? "second" : "/second"
    const second = await harness.send(text, protocol === 4 ? "steer" : "next")
    harness.turn(second).final(null)
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: first", "assistant…: on it", `user(queued): ${text}`])
    assert.strictEqual(harness.chat.state.get().queued, 1)
    turn.text("on it still", " still")
    await harness.settle()
    assert.deepStrictEqual(harness.shown, ["user: first", "assistant…: on it still", `user(queued): ${text}`])
    const stored = [user("first", 10_000, run(first)), assistant([said("on it still")], 10_010, run(first))]
    harness.gateway.messages = stored
    turn.final("on it still")
    await harness.settle()
    harness.gateway.messages = [...stored, user(text, 20_000, run(second))]
    const reply = harness.turn("surprise", 20_000)
    reply.start()
    reply.text("reply", "reply")
    await harness.pass(200)
    assert.deepStrictEqual(harness.shown, [
      "user: first",
      "assistant: on it still",
      `user: ${text}`,
      "assistant…: reply"
    ])
    assert.strictEqual(harness.chat.state.get().queued, 0)
  })

  it("connecting in the middle of a turn shows what there is and goes on from there", async () => {
    harness = new ChatHarness(protocol, (gateway) => {
      gateway.messages = [user("go", 10_000, run("r1"))]
      gateway.historyExtras =
        protocol === 4 ? { inFlightRun: { runId: "r1", text: "half a", startedAt: 10_000, events: [] } } : {}
    })
    harness.working = true
    await harness.connect()
    assert.isTrue(harness.chat.state.get().running)
    if (protocol === 4) assert.deepStrictEqual(harness.shown, ["user: go", "assistant…: half a"])
    const turn = harness.turn("r1")
    turn.text("half a loaf", " loaf")
    await harness.pass(200)
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant…: half a loaf"])
    turn.final("half a loaf")
    assert.isFalse(harness.chat.state.get().running)
  })

  it("after a break in the middle of a turn nothing is doubled or lost, whether it still runs or has ended", async () => {
    for (const ended of [false, true]) {
      harness = new ChatHarness(protocol)
      await harness.connect()
      const id = await harness.send("go")
      const turn = harness.turn(id)
      turn.start()
      turn.text("one", "one")
      turn.tool("start", "c1", { args: {} })
      harness.gateway.socket.drop()
      harness.gateway.messages = [
        user("go", 10_000, run(id)),
        assistant([said("one"), call("c1")], 10_010, run(id), { stopReason: "toolUse" }),
        toolResult("c1", "ok", 10_020, run(id)),
        assistant([said("two"), call("c2")], 10_030, run(id), { stopReason: "toolUse" }),
        toolResult("c2", "ok", 10_040, run(id)),
        ...(ended ? [assistant([said("three")], 10_050, run(id))] : [])
      ]
      harness.working = !ended
      harness.gateway.historyExtras = protocol === 4 ? { sessionInfo: { hasActiveRun: !ended } } : {}
      await harness.pass(1_100)
      const done = ["user: go", "assistant: one", "tool exec done: ok", "assistant: two", "tool exec done: ok"]
      assert.deepStrictEqual(harness.shown, ended ? [...done, "assistant: three"] : done)
      assert.strictEqual(harness.chat.state.get().running, !ended)
      if (!ended) {
        turn.text("thr", "r")
        await harness.settle()
        assert.deepStrictEqual(harness.shown, [...done, "assistant…: thr"])
        harness.dispose()
      }
    }
  })

  it("a reload shows the same as was on screen", async () => {
    harness = new ChatHarness(protocol)
    await harness.connect()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.agent("thinking", { text: "hm", delta: "hm" })
    turn.text("one", "one")
    turn.tool("start", "c1", { args: { a: 1 } })
    turn.tool("result", "c1", { isError: true, result: { content: [said("no")] } })
    turn.text("two", "two")
    harness.gateway.messages = [
      user("go", 10_000, run(id)),
      assistant([{ type: "thinking", thinking: "hm" }, said("one"), call("c1", { a: 1 })], 10_010, run(id), {
        stopReason: "toolUse"
      }),
      { ...toolResult("c1", "no", 10_020, run(id)), isError: true },
      assistant([said("two")], 10_030, run(id))
    ]
    turn.final("one\n\ntwo")
    await harness.settle()
    const shown = harness.shown
    assert.deepStrictEqual(shown, [
      "user: go",
      "thinking: hm",
      "assistant: one",
      "tool exec error: no",
      "assistant: two"
    ])
    harness.chat.dispose()
    harness.chat = harness.open()
    await harness.settle()
    assert.deepStrictEqual(harness.shown, shown)
  })
})

describe("a stop in a new session", () => {
  it("shows behind its question although its note was stored before it", async () => {
    harness = new ChatHarness(3, (gateway) => {
      const note = { openclawAbort: { aborted: true, runId: "r1" }, provider: "openclaw", model: "gateway-injected" }
      gateway.messages = [
        assistant([said("ne")], 300, undefined, note),
        user("go", 100),
        assistant([said("ne")], 110, undefined, { stopReason: "aborted" }),
        user("again", 400)
      ]
    })
    await harness.connect()
    assert.deepStrictEqual(harness.shown, ["user: go", "assistant: ne", "aborted", "user: again"])
  })
})

describe("odd frames", () => {
  it("change nothing", async () => {
    harness = new ChatHarness(4)
    await harness.connect()
    for (const payload of [
      {},
      { sessionKey: KEY },
      { sessionKey: KEY, runId: 5 },
      { sessionKey: KEY, runId: "x", stream: "tool", data: 7 }
    ])
      for (const event of ["chat", "agent", "session.tool", "session.message", "unknown"])
        harness.gateway.socket.event(event, payload)
    await harness.settle()
    assert.deepStrictEqual(harness.items, [])
  })
})
