import { assert, describe, it } from "@effect/vitest"
import type { InboxItem } from "../../../src/contract/schema/inbox.ts"
import { readQuestion, readSettledQuestion } from "../../../src/services/gateway/feed/agentQuestion.ts"
import { draftOf } from "../../../src/services/inbox/gatewayItems.ts"
import { answerText, withAnswer } from "../../../src/services/inbox/inboxRules.ts"

const part = (id: string, more: object = {}) => ({ id, text: `${id}?`, multiple: false, freeText: true, ...more })
const item = (...questions: NonNullable<InboxItem["questions"]>): InboxItem => ({
  id: "a",
  gatewayId: "primary",
  kind: "question",
  title: "Well?",
  createdAt: 1,
  state: "open",
  questions,
  actions: []
})

describe("what a question was answered with", () => {
  it("is one line, each part with its header, and never a secret", () => {
    assert.strictEqual(answerText(item(part("colour")), { colour: ["Red", "pink"] }), "Red, pink")
    const both = item(part("colour", { header: "Colour" }), part("key", { secret: true }), part("none"))
    assert.strictEqual(
      answerText(both, { colour: ["Red"], key: ["hunter2"], stray: ["x"] }),
      "Colour: Red · key?: a secret"
    )
    assert.isUndefined(answerText(both, undefined))
    assert.strictEqual(answerText(item(part("colour")), { colour: ["x".repeat(900)] })?.length, 500)
  })

  it("goes with its end, and with no other", () => {
    const answered = { action: "answer", at: 1, by: "elsewhere" } as const
    assert.deepStrictEqual(withAnswer(item(part("c")), answered, { c: ["Red"] }), { ...answered, answer: "Red" })
    const skipped = { ...answered, action: "skip" }
    assert.deepStrictEqual(withAnswer(item(part("c")), skipped, { c: ["Red"] }), skipped)
  })

  it("is read in the gateways' form", () => {
    const answers = { colour: ["Red"] }
    const settled = { id: "q", status: "answered", answers }
    assert.deepStrictEqual(readSettledQuestion({ id: "q", status: "answered", answers: { answers } }), settled)
    assert.deepStrictEqual(readSettledQuestion({ questionId: "q", status: "answered", answers }), settled)
    assert.deepStrictEqual(readSettledQuestion({ id: "q", answers: { colour: "Red" } }), {
      id: "q",
      status: undefined,
      answers: undefined
    })
  })
})

it("a question brings its header, its page and where its secret goes", () => {
  const question = readQuestion({
    id: "q",
    questions: [
      {
        questionId: "key",
        header: "Key",
        question: "The key?",
        isSecret: true,
        url: "https://example.org",
        secretStore: { name: "KEY", reason: "To look", allowedHosts: ["example.org", 5] },
        secretStoreExisting: {}
      },
      { questionId: "page", question: "Seen it?", url: "javascript:alert(1)", secretStore: { reason: "none" } }
    ]
  })
  if (question === undefined) throw new Error("it can be read")
  const { questions } = draftOf("primary", { origin: "question", id: "q", question }, 1)
  assert.deepStrictEqual(questions, [
    {
      id: "key",
      header: "Key",
      text: "The key?",
      url: "https://example.org",
      multiple: false,
      freeText: true,
      secret: true,
      store: { name: "KEY", reason: "To look", hosts: ["example.org"], replaces: true }
    },
    { id: "page", text: "Seen it?", multiple: false, freeText: true }
  ])
})
