import { assert, describe, it } from "@effect/vitest"
import { askedIn } from "../../../src/core/inbox/InboxStore.ts"
import { inboxItem, questionItem, questionPart } from "../../support/inboxItem.ts"

const KEY = "agent:main:a"
const chosen = { chosen: ["1"], words: "" }

describe("the question that a message answers", () => {
  it("is the most urgent one of the session, and none with a secret part", () => {
    const asked = questionItem(questionPart())
    const secret = { ...questionItem(questionPart({ secret: true })), id: "s" }
    const found = askedIn([inboxItem(), secret, asked, { ...asked, id: "later" }], {})
    assert.deepStrictEqual([...found.keys()], [KEY])
    assert.strictEqual(found.get(KEY)?.item.id, "q")
    assert.strictEqual(askedIn([secret, { ...asked, sessionKey: null }], {}).size, 0)
  })

  it("takes a message as the whole answer only where nothing else is left to answer", () => {
    const one = questionItem(questionPart())
    const size = questionPart({ id: "size", header: "Size", freeText: false })
    const three = questionItem(size, questionPart(), questionPart({ id: "when", header: null }))
    const offer = (...[item, drafts = {}]: [typeof one, Record<string, typeof chosen>?]) => {
      const asked = askedIn([item], { q: drafts }).get(KEY)
      return [asked?.label, asked?.text]
    }
    const whole = ["Send as answer", "The agent is waiting for your answer."]
    assert.deepStrictEqual(offer(one), whole)
    assert.deepStrictEqual(offer(one, { colour: chosen }), whole)
    assert.deepStrictEqual(offer(three), ["Answer one question", "3 questions are open. Your text answers “Colour”."])
    assert.deepStrictEqual(offer(three, { colour: chosen }), [
      "Answer one question",
      "2 questions are open. Your text answers the next one."
    ])
    assert.deepStrictEqual(offer(three, { colour: chosen, when: { chosen: [], words: "now" } }), whole)
    assert.deepStrictEqual(offer(questionItem(size, { ...size, id: "more" })), [
      "Answer one question",
      "2 questions are open. Choose the answers on the card."
    ])
    assert.deepStrictEqual(offer(three, { size: chosen, colour: chosen, when: chosen }), [
      "Answer on the card",
      "Every question has an answer. Send them on the card."
    ])
  })

  it("is the same object while nothing about it changes", () => {
    const item = questionItem(questionPart(), questionPart({ id: "size" }))
    const before = askedIn([item], {})
    const after = askedIn([inboxItem(), item], { q: { colour: { chosen: [], words: " " } } }, before)
    assert.strictEqual(after.get(KEY), before.get(KEY))
    assert.notStrictEqual(askedIn([item], { q: { colour: chosen } }, before).get(KEY), before.get(KEY))
  })
})
