import { assert, describe, it } from "@effect/vitest"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { itemOf } from "../../../src/core/inbox/InboxStore.ts"
import { canUndo, cardTitleOf, headingOf, keyOf, wordsOf } from "../../../src/core/inbox/kindText.ts"
import { deciderText, decisionText, questionNoteText, tooLateText } from "../../../src/core/inbox/outcomeText.ts"
import { inboxItem, questionItem, questionPart } from "../../support/inboxItem.ts"

const ended = (resolution: Partial<NonNullable<ReturnType<typeof inboxItem>["resolution"]>>) =>
  inboxItem({ resolution: { action: "deny", at: 5, by: "console", answer: null, ...resolution } })

describe("an item of the inbox", () => {
  it("shows what is hidden in its texts, and opens nothing but web pages", () => {
    const item = itemOf({
      id: "a",
      gatewayId: "work",
      kind: "question",
      title: " ",
      sessionKey: "agent:main:main",
      createdAt: 1,
      state: "open",
      questions: [{ id: "k", text: "We\u200bll?", url: "javascript:alert(1)", multiple: false, freeText: false }],
      actions: [{ id: "answer", label: "Answer" }]
    })
    assert.deepInclude(item, { title: "(no title)", sessionKey: qualifiedKey("work", "agent:main:main"), detail: null })
    assert.notInclude(item.questions?.[0]?.text ?? "", "\u200b")
    assert.isNull(item.questions?.[0]?.url)
    assert.deepStrictEqual(item.actions, [{ id: "answer", label: "Answer", needs: null }])
  })

  it("says what it wants, and shows a long text whole", () => {
    assert.strictEqual(headingOf(questionItem(questionPart(), questionPart())), "The agent has 2 questions")
    assert.strictEqual(headingOf(inboxItem()), "The agent needs your permission")
    assert.strictEqual(headingOf(inboxItem({ kind: "proposal" })), "The agent proposes a card")
    assert.strictEqual(headingOf(inboxItem({ kind: "proposal", taskId: "t" })), "The agent proposes a change")
    assert.deepStrictEqual(wordsOf({ kind: "approval", title: "cat <<E…", detail: "cat <<E\nhello\nE\n\nworkspace" }), {
      what: "cat <<E\nhello\nE\n\nworkspace",
      more: null
    })
    assert.deepStrictEqual(wordsOf({ kind: "approval", title: "ls", detail: "workspace" }), {
      what: "ls",
      more: "workspace"
    })
    assert.deepStrictEqual(wordsOf({ kind: "approval", title: "Wait…", detail: "why" }), { what: "Wait…", more: "why" })
  })

  it("names the card that it leads to", () => {
    assert.strictEqual(cardTitleOf({ kind: "review", title: "Name the tool" }), "Name the tool")
    assert.strictEqual(cardTitleOf({ kind: "proposal", title: "Change “Name the tool”" }), "Name the tool")
    assert.strictEqual(cardTitleOf({ kind: "proposal", title: "Something else" }), "Card")
  })

  it("has the same keys for what agrees and what declines", () => {
    assert.deepStrictEqual(["allow-once", "approve"].map(keyOf), ["a", "a"])
    assert.deepStrictEqual(["deny", "reject", "dismiss"].map(keyOf), ["d", "d", "d"])
    assert.isNull(keyOf("answer"))
  })

  it("can be taken back where nobody is kept waiting", () => {
    assert.isTrue(canUndo({ kind: "proposal" }, "reject"))
    assert.isTrue(canUndo({ kind: "review" }, "approve"))
    assert.isTrue(canUndo({ kind: "failed" }, "dismiss"))
    assert.isFalse(canUndo({ kind: "failed" }, "retry"))
    assert.isFalse(canUndo({ kind: "approval" }, "allow-once"))
    assert.isFalse(canUndo({ kind: "pairing" }, "approve"))
  })
})

describe("how an item ended", () => {
  it("is what was decided, and by whom", () => {
    const texts = (resolution: Parameters<typeof ended>[0]) => [
      decisionText(ended(resolution)),
      deciderText(ended(resolution))
    ]
    assert.deepStrictEqual(texts({}), ["Denied", "In Agent Console"])
    assert.deepStrictEqual(texts({ action: "answer", answer: "Blue", by: "elsewhere" }), [
      "Answered: Blue",
      "Elsewhere"
    ])
    assert.deepStrictEqual(texts({ action: "unknown", by: "elsewhere" }), ["Settled", "Elsewhere"])
    assert.deepStrictEqual(texts({ action: "gateway-restarted", by: "elsewhere" }), [
      "No longer asked",
      "The gateway restarted"
    ])
    assert.match(questionNoteText(ended({ action: "gateway-restarted", by: "elsewhere" })), /gateway restarted/)
    assert.deepStrictEqual(texts({ by: "timeout" }), ["Denied automatically", "Nobody answered in time"])
  })

  it("is shown to a person who was too late", () => {
    assert.strictEqual(tooLateText(ended({ by: "elsewhere" })), "Someone was faster. Denied elsewhere.")
    assert.strictEqual(
      tooLateText(ended({ action: "answer", by: "elsewhere", answer: "Blue" })),
      "Someone was faster. Answered elsewhere: Blue"
    )
    assert.match(tooLateText(ended({ action: "gateway-restarted", by: "elsewhere" })), /gateway restarted/)
    assert.strictEqual(tooLateText(ended({ action: "unknown" })), "This was already decided elsewhere.")
    assert.strictEqual(
      tooLateText(ended({ by: "timeout" })),
      "Too late: denied automatically, nobody answered in time."
    )
  })
})
