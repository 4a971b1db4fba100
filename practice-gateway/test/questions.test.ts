import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Frame } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import type { QuestionPart } from "../src/chat/questionRules.ts"
import type { DemoAgent } from "../src/demo/steps.ts"
import { operator } from "./operator.ts"

const colour: QuestionPart = {
  questionId: "colour",
  header: "Colour",
  question: "Which colour?",
  options: [{ label: "Red" }, { label: "Blue", description: "As the sky." }],
  isOther: true
}
const size: QuestionPart = {
  questionId: "size",
  header: "Size",
  question: "How large?",
  options: [{ label: "S" }, { label: "L" }],
  multiSelect: true
}
const secret: QuestionPart = {
  questionId: "secret_value",
  header: "API key",
  question: "The key, please.",
  options: [],
  isSecret: true,
  secretStore: { name: "KEY", kind: "secret" }
}
const agent: DemoAgent = ({ text }) => [
  {
    type: "ask",
    questions: text === "two" ? [colour, size] : text === "secret" ? [secret] : [colour],
    timeoutMs: text === "short" ? 50 : 60_000,
    reply: (answers) => (answers === null ? "nobody answered" : `got ${JSON.stringify(answers)}`),
    unable: "I cannot ask"
  }
]
const layer = practiceGateway({ generation: "new", tokenMs: 0, seed: false, agent })
const event = (name: string) => (frame: Frame) => frame.event === name
const final = (frame: Frame) =>
  frame.event === "chat" && frame.payload?.state === "final" && frame.payload.message !== undefined

const asked = Effect.fnUntraced(function* (message: string) {
  const { link } = yield* operator()
  yield* link.call("chat.send", { sessionKey: "main", message, idempotencyKey: message })
  const { payload = {} } = yield* link.waitFor(event("question.requested"))
  const said = Effect.map(link.waitFor(final), (frame) => JSON.stringify(frame.payload?.message))
  return { link, question: payload, id: String(payload.id), said }
})

describe("questions of the newer generation's agents", () => {
  it.live("wait, are listed, and their answers come back to the agent", () =>
    Effect.gen(function* () {
      const { link, question, id, said } = yield* asked("two")
      assert.deepInclude(question, { sessionKey: "agent:main:main", status: "pending", questions: [colour, size] })
      assert.deepStrictEqual(yield* link.call("question.list"), { questions: [question] })
      assert.deepStrictEqual(yield* link.call("question.get", { id }), { question })
      const answers = { answers: { colour: ["Green"], size: ["S", "L"] } }
      assert.deepStrictEqual(yield* link.call("question.resolve", { id, answers }), { status: "answered", answers })
      const resolved = yield* link.waitFor(event("question.resolved"))
      assert.deepStrictEqual(resolved.payload, { id, status: "answered", answers })
      assert.include(yield* said, "Green")
      assert.deepStrictEqual(yield* link.call("question.list"), { questions: [] })
      const late = yield* link.request("question.resolve", { id, answers })
      assert.deepInclude(late.error?.details, { reason: "QUESTION_ALREADY_TERMINAL" })
    }).pipe(Effect.provide(layer))
  )

  it.live("refuse answers that do not fit, and stay open", () =>
    Effect.gen(function* () {
      const { link, id } = yield* asked("two")
      const wrong = [
        [{ colour: ["Red"] }, "question 'size' requires an answer"],
        [{ colour: ["Red"], size: ["M"] }, "question 'size' contains an unknown option"],
        [{ colour: ["Red", "Blue"], size: ["S"] }, "question 'colour' does not allow multiple answers"],
        [{ colour: [" "], size: ["S"] }, "question 'colour' contains an empty answer"],
        [{ colour: ["Red"], size: ["S"], age: ["3"] }, "question 'age' is not part of this request"]
      ] as const
      for (const [answers, message] of wrong) {
        const { error } = yield* link.request("question.resolve", { id, answers: { answers } })
        assert.deepInclude(error, { code: "INVALID_REQUEST", message })
      }
      const unknown = yield* link.request("question.resolve", { id: "nope", cancel: true })
      assert.deepInclude(unknown.error?.details, { reason: "QUESTION_NOT_FOUND" })
      const { questions } = yield* link.call("question.list")
      assert.lengthOf(Object.values(questions ?? {}), 1)
    }).pipe(Effect.provide(layer))
  )

  it.live("are skipped, and expire", () =>
    Effect.gen(function* () {
      const skipped = yield* asked("one")
      assert.deepStrictEqual(yield* skipped.link.call("question.resolve", { id: skipped.id, cancel: true }), {
        status: "cancelled"
      })
      assert.include(yield* skipped.said, "nobody answered")
      const short = yield* asked("short")
      const resolved = yield* short.link.waitFor(
        (frame) => frame.payload?.id === short.id && frame.payload.status === "expired"
      )
      assert.strictEqual(resolved.event, "question.resolved")
      assert.include(yield* short.said, "nobody answered")
    }).pipe(Effect.provide(layer))
  )

  it.live("take any message to their session as the answer, in whichever mode it is sent", () =>
    Effect.gen(function* () {
      const { link, id, said } = yield* asked("one")
      yield* link.call("chat.send", {
        sessionKey: "main",
        message: "2",
        idempotencyKey: "said",
        queueMode: "followup"
      })
      const resolved = yield* link.waitFor(event("question.resolved"))
      assert.deepStrictEqual(resolved.payload, { id, status: "answered", answers: { answers: { colour: ["Blue"] } } })
      const ended = yield* link.waitFor(({ event, payload }) => event === "chat" && payload?.runId === "said")
      assert.deepInclude(ended.payload, { state: "final" })
      assert.include(yield* said, "Blue")
    }).pipe(Effect.provide(layer))
  )

  it.live("a message that answers only one of two parts fails, and the question stays open", () =>
    Effect.gen(function* () {
      const { link } = yield* asked("two")
      yield* link.call("chat.send", { sessionKey: "main", message: "Red", idempotencyKey: "said" })
      const ended = yield* link.waitFor(({ event, payload }) => event === "chat" && payload?.runId === "said")
      assert.deepInclude(ended.payload, { state: "error" })
      assert.include(String(ended.payload?.errorMessage), "question 'size' requires an answer")
      const { questions } = yield* link.call("question.list")
      assert.lengthOf(Object.values(questions ?? {}), 1)
    }).pipe(Effect.provide(layer))
  )

  it.live("a secret is sent to nobody", () =>
    Effect.gen(function* () {
      const { link, id, said } = yield* asked("secret")
      yield* link.call("question.resolve", { id, answers: { answers: { secret_value: ["hunter2"] } } })
      assert.include(yield* said, "stored")
      assert.notInclude(JSON.stringify(link.frames), "hunter2")
    }).pipe(Effect.provide(layer))
  )

  it.live("end with the run that asked", () =>
    Effect.gen(function* () {
      const { link, id } = yield* asked("one")
      yield* link.call("chat.abort", { sessionKey: "main" })
      const resolved = yield* link.waitFor(event("question.resolved"))
      assert.deepStrictEqual(resolved.payload, { id, status: "cancelled" })
      const aborted = link.frames.findIndex(({ payload }) => payload?.state === "aborted")
      assert.isTrue(aborted >= 0 && aborted < link.frames.indexOf(resolved), "the stop is told first")
    }).pipe(Effect.provide(layer))
  )
})

describe("questions with the older generation", () => {
  it.live("do not exist", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* link.call("chat.send", { sessionKey: "main", message: "one", idempotencyKey: "run" })
      assert.include(JSON.stringify((yield* link.waitFor(final)).payload?.message), "I cannot ask")
      const { error } = yield* link.request("question.list")
      assert.strictEqual(error?.message, "unknown method: question.list")
    }).pipe(Effect.provide(practiceGateway({ generation: "old", tokenMs: 0, seed: false, agent })))
  )
})
