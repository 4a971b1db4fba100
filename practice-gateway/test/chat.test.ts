import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Frame, Link } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import type { DemoAgent } from "../src/demo/steps.ts"
import { operator, scriptedAgent } from "./operator.ts"

const ended = (runId: string) => (frame: Frame) =>
  frame.event === "chat" &&
  frame.payload?.runId === runId &&
  ["final", "error", "aborted"].includes(String(frame.payload.state))

const send = (link: Link, message: string, idempotencyKey: string, more: object = {}) =>
  link.call("chat.send", { sessionKey: "main", message, idempotencyKey, ...more })

const texts = Effect.fnUntraced(function* (link: Link, sessionKey = "main") {
  const { messages } = yield* link.call("chat.history", { sessionKey })
  return (Array.isArray(messages) ? messages : []).map((message) => {
    const content: unknown = message.content
    const parts = Array.isArray(content) ? content : [{ type: "text", text: content }]
    return `${message.role}: ${parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("|")}`
  })
})

const shown = (frame: Frame) => JSON.stringify(frame.payload?.message)

for (const generation of ["old", "new"] as const) {
  const isNew = generation === "new"
  const layer = practiceGateway({ generation, tokenMs: 0, seed: false, agent: scriptedAgent })

  describe(`conversations with the ${generation} generation`, () => {
    it.live("the same idempotency key never runs twice", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "[hang]", "once")
        assert.deepStrictEqual(yield* send(link, "[hang]", "once"), { runId: "once", status: "in_flight" })
        yield* link.call("chat.abort", { sessionKey: "main" })
        assert.deepStrictEqual(yield* send(link, "[hang]", "once"), { runId: "once", status: "ok" })
        const asked = (yield* texts(link)).filter((text) => text.startsWith("user:"))
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.provide(layer))
    )

    it.live("what comes while a turn runs is answered after it under a new run id", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "[hang]", "first")
        yield* send(link, "second", "second", isNew ? { queueMode: "followup" } : {})
        const empty = yield* link.waitFor(ended("second"))
        assert.isUndefined(empty.payload?.message)
        const aborted = yield* link.call("chat.abort", { sessionKey: "main", runId: "first" })
        if (isNew) {
          assert.deepStrictEqual(aborted.runIds, ["second", "first"])
          yield* link.call("health")
          assert.notInclude(JSON.stringify(yield* texts(link)), "echo: second")
        } else {
          assert.deepStrictEqual(aborted.runIds, ["first"])
          const late = yield* link.waitFor(
            (frame) => frame.payload?.state === "final" && shown(frame)?.includes("echo: second")
          )
          assert.notInclude(["first", "second"], late.payload?.runId)
        }
      }).pipe(Effect.provide(layer))
    )

    it.live("a command while a turn runs ends that with a failure if the generation is newer", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "[hang]", "first")
        yield* send(link, "/status", "status")
        const answer = yield* link.waitFor(ended("status"))
        assert.include(shown(answer), "Demo gateway")
        if (!isNew) yield* link.call("chat.abort", { sessionKey: "main" })
        const { payload } = yield* link.waitFor(ended("first"))
        assert.strictEqual(payload?.state, isNew ? "error" : "aborted")
        if (isNew) assert.include(String(payload?.errorMessage), "outside the current turn")
      }).pipe(Effect.provide(layer))
    )

    it.live("a run of the agent method waits behind a turn and keeps its id", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "[hang]", "first")
        const params = { message: "after that", sessionKey: "main", idempotencyKey: "task" }
        yield* link.send({ type: "req", id: "task", method: "agent", params })
        yield* link.waitFor((frame) => frame.id === "task")
        yield* link.call("chat.abort", { sessionKey: "main" })
        const second = yield* link.waitFor((frame) => frame.id === "task" && frame.payload?.status !== "accepted")
        assert.strictEqual(second.payload?.status, isNew ? "timeout" : "ok")
      }).pipe(Effect.provide(layer))
    )

    it.live("an abort of nothing or of another run changes nothing", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const nothing = { ok: true, aborted: false, runIds: [] }
        assert.deepStrictEqual(yield* link.call("chat.abort", { sessionKey: "main" }), nothing)
        yield* send(link, "[hang]", "run")
        assert.deepStrictEqual(yield* link.call("chat.abort", { sessionKey: "main", runId: "other" }), nothing)
        yield* link.call("chat.abort", { sessionKey: "main" })
        const row = JSON.stringify(yield* link.call("sessions.list"))
        assert.include(row, isNew ? '"status":"killed"' : '"status":"running"')
      }).pipe(Effect.provide(layer))
    )

    it.live("a run of the agent method can be aborted in the newer generation, and ended by a reset in both", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const params = { message: "[hang]", sessionKey: "agent:main:task", idempotencyKey: "task" }
        yield* link.send({ type: "req", id: "task", method: "agent", params })
        yield* link.waitFor((frame) => frame.event === "chat" && frame.payload?.state === "delta")
        const aborted = yield* link.call("chat.abort", { sessionKey: "agent:main:task" })
        assert.strictEqual(aborted.aborted, isNew)
        if (!isNew) yield* link.call("sessions.reset", { key: "agent:main:task" })
        const second = yield* link.waitFor((frame) => frame.id === "task" && frame.payload?.status !== "accepted")
        assert.strictEqual(second.payload?.status, isNew ? "timeout" : "error")
      }).pipe(Effect.provide(layer))
    )

    it.live("tool events go to the sender alone, everything else to every reader", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const { link: other } = yield* operator()
        yield* send(link, "[tool]", "run")
        yield* link.waitFor(ended("run"))
        yield* other.waitFor(ended("run"))
        const tools = (frames: ReadonlyArray<Frame>) =>
          frames.filter((frame) => frame.payload?.stream === "tool").length
        assert.strictEqual(tools(link.frames), 3)
        assert.strictEqual(tools(other.frames), 0)
      }).pipe(Effect.provide(layer))
    )

    it.live("commands are answered by one note without agent events", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "/model demo/swift", "model")
        const final = yield* link.waitFor(ended("model"))
        assert.include(shown(final), "Model set to demo/swift")
        assert.isUndefined(link.frames.find((frame) => frame.event === "agent"))
        assert.include(JSON.stringify(yield* link.call("sessions.list")), '"model":"swift"')
        yield* send(link, "/think high", "think")
        assert.include(shown(yield* link.waitFor(ended("think"))), "not supported for demo/swift")
        yield* send(link, "/new", "new")
        yield* link.waitFor(ended("new"))
        const [question, note] = yield* texts(link)
        assert.strictEqual(question, "user: /new")
        assert.strictEqual(note, isNew ? "assistant: ✅ New session started." : "assistant: echo: /new")
      }).pipe(Effect.provide(layer))
    )

    it.live("images are kept with the message", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        const content = Buffer.from("not really an image").toString("base64")
        const attachments = [{ type: "image", mimeType: "image/png", fileName: "dot.png", content }]
        yield* send(link, "", "image", { attachments })
        yield* link.waitFor(ended("image"))
        const history = JSON.stringify(yield* link.call("chat.history", { sessionKey: "main" }))
        assert.include(history, isNew ? '"sizeBytes":19' : '"omitted":true')
        assert.notInclude(history, content)
        const stored = JSON.stringify(yield* link.call("sessions.get", { key: "main" }))
        assert.include(stored, isNew ? "media://inbound/" : content)
      }).pipe(Effect.provide(layer))
    )

    it.live("long texts are cut in the history, to what was asked for", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "y".repeat(20_000), "long")
        yield* link.waitFor(ended("long"))
        const usual = JSON.stringify(yield* link.call("chat.history", { sessionKey: "main", limit: 1 }))
        assert.isBelow(usual.length, isNew ? 12_000 : 14_000)
        const short = JSON.stringify(yield* link.call("chat.history", { sessionKey: "main", limit: 1, maxChars: 100 }))
        assert.include(short, "...(truncated)...")
        const over = yield* link.request("chat.history", { sessionKey: "main", limit: 1001 })
        assert.strictEqual(over.error?.message, "invalid chat.history params: at /limit: must be <= 1000")
      }).pipe(Effect.provide(layer))
    )

    it.live("agent.wait returns the end of a run, and a failed one's error", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "[fail]", "bad")
        const wait = yield* link.call("agent.wait", { runId: "bad", timeoutMs: 5_000 })
        assert.strictEqual(wait.status, isNew ? "error" : "ok")
        assert.include(JSON.stringify(yield* link.call("sessions.list")), '"status":"failed"')
        yield* send(link, "[hang]", "endless")
        const late = yield* link.call("agent.wait", { runId: "endless", timeoutMs: 5 })
        assert.deepStrictEqual(late, { runId: "endless", status: "timeout" })
      }).pipe(Effect.provide(layer))
    )

    it.live("a note can be put into a session", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "hello", "a")
        yield* link.waitFor(ended("a"))
        yield* link.call("chat.inject", { sessionKey: "main", message: "remember the milk" })
        assert.strictEqual((yield* texts(link)).at(-1), "assistant: remember the milk")
      }).pipe(Effect.provide(layer))
    )

    it.effect("streams at the pace of the clock", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* send(link, "one two three four five six seven eight nine ten eleven twelve", "paced")
        yield* TestClock.adjust("25 millis")
        yield* link.waitFor((frame) => frame.payload?.state === "delta")
        assert.isUndefined(link.frames.find(ended("paced")))
        yield* TestClock.adjust("10 seconds")
        const final = yield* link.waitFor(ended("paced"))
        assert.include(shown(final), "eleven twelve")
        const deltas = link.frames.filter((frame) => frame.payload?.state === "delta")
        assert.isAbove(deltas.length, 2)
      }).pipe(Effect.provide(practiceGateway({ generation, seed: false, agent: scriptedAgent })))
    )
  })
}

describe("a message handed to the running turn", () => {
  const agent: DemoAgent = ({ text }) =>
    text === "go"
      ? [
          { type: "tool", name: "exec", args: {}, meta: "", result: "ok", runMs: 300 },
          { type: "text", text: "done" }
        ]
      : [{ type: "text", text: `echo: ${text}` }]

  it.live("is read by it, or answered after it when it came too late", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* send(link, "go", "first")
      yield* send(link, "mind the step", "steered", { queueMode: "steer" })
      assert.isUndefined((yield* link.waitFor(ended("steered"))).payload?.message)
      yield* link.waitFor(ended("first"))
      assert.deepStrictEqual(
        (yield* texts(link)).filter((text) => !text.startsWith("toolResult")),
        ["user: go", "assistant: ", "user: mind the step", "assistant: Noted while I work: “mind the step”.|done"]
      )
    }).pipe(Effect.provide(practiceGateway({ generation: "new", tokenMs: 1, seed: false, agent })))
  )
})
