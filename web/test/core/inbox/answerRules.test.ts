import { assert, describe, it } from "@effect/vitest"
import {
  answeredBy,
  answersOf,
  draftFromText,
  draftOf,
  noPlaceText,
  openPart,
  withOption,
  withWords
} from "../../../src/core/inbox/answerRules.ts"
import { takesWords } from "../../../src/core/inbox/InboxStore.ts"
import { questionPart as part, questionItem as question } from "../../support/inboxItem.ts"

const many = part({ id: "many", multiple: true })
const fixed = part({ id: "fixed", freeText: false })
const secret = part({ id: "secret", options: [], secret: true })
const NONE = draftOf({}, "colour")

describe("an answer in the making", () => {
  it("of one choice is an option or own words, whichever came last", () => {
    const red = withOption(part(), NONE, "1")
    assert.deepStrictEqual(red, { chosen: ["1"], words: "" })
    const own = withWords(part(), red, "pink")
    assert.deepStrictEqual(own, { chosen: [], words: "pink" })
    assert.deepStrictEqual(withOption(part(), own, "2"), { chosen: ["2"], words: "" })
    assert.deepStrictEqual(withWords(part(), red, "  ").chosen, ["1"])
  })

  it("of several choices has any number of options, and own words besides", () => {
    const both = withOption(many, withOption(many, NONE, "2"), "1")
    assert.deepStrictEqual(both.chosen, ["2", "1"])
    const drafts = { many: withWords(many, both, "pink ") }
    assert.deepStrictEqual(answersOf(question(many), drafts, {}), { many: { options: ["1", "2"], text: "pink" } })
    assert.deepStrictEqual(withOption(many, both, "2").chosen, ["1"])
  })

  it("is whole when every part has one; secrets come by themselves", () => {
    const asked = question(part(), fixed, secret)
    assert.strictEqual(openPart(asked, {})?.id, "colour")
    assert.strictEqual(openPart(asked, { colour: { chosen: ["1"], words: "" } })?.id, "fixed")
    const words = { chosen: [], words: "pink" }
    assert.strictEqual(openPart(asked, { colour: words, fixed: words })?.id, "fixed", "no own words there")
    const drafts = { colour: words, fixed: { chosen: ["2"], words: "" } }
    assert.isNull(openPart(asked, drafts))
    assert.deepStrictEqual(answersOf(asked, drafts, { secret: " key " }), {
      colour: { text: "pink" },
      fixed: { options: ["2"] },
      secret: { text: " key " }
    })
    assert.deepStrictEqual(answersOf(asked, {}, {}), {})
  })
})

describe("a message as an answer", () => {
  it("is an option by its number or its words, else own words", () => {
    assert.deepStrictEqual(draftFromText(part(), " 2 "), { chosen: ["2"], words: "" })
    assert.deepStrictEqual(draftFromText(part(), "green"), { chosen: ["3"], words: "" })
    assert.deepStrictEqual(draftFromText(part(), "4"), { chosen: [], words: "4" })
    assert.deepStrictEqual(draftFromText(part(), " Blue please "), { chosen: [], words: "Blue please" })
  })

  it("names several options where several may be chosen", () => {
    assert.deepStrictEqual(draftFromText(many, "1, green"), { chosen: ["1", "3"], words: "" })
    assert.deepStrictEqual(draftFromText(many, "red, but darker"), { chosen: [], words: "red, but darker" })
    assert.deepStrictEqual(draftFromText(part(), "1, 2"), { chosen: [], words: "1, 2" })
  })

  it("does not answer what has fixed answers only, nor a secret", () => {
    assert.isNull(draftFromText(fixed, "pink"))
    assert.deepStrictEqual(draftFromText(fixed, "red"), { chosen: ["1"], words: "" })
    assert.isTrue(takesWords(question(part(), many)))
    assert.isFalse(takesWords(question(part(), secret)))
  })

  it("answers the first open part that it fits, and replaces an answer only where there is a single part", () => {
    const asked = question(fixed, part(), many)
    const by = (text: string, drafts = {}) => answeredBy(asked, drafts, text)?.part.id
    const done = { chosen: ["1"], words: "" }
    assert.strictEqual(by("pink"), "colour", "the first takes no own words")
    assert.strictEqual(by("2"), "fixed")
    assert.strictEqual(by("pink", { colour: done }), "many")
    assert.isUndefined(by("pink", { fixed: done, colour: done, many: done }))
    assert.strictEqual(answeredBy(question(part()), { colour: done }, "pink")?.part.id, "colour")
  })

  it("that answers none of them gets a hint", () => {
    const done = { chosen: ["1"], words: "" }
    const asked = question(fixed, { ...fixed, id: "other" })
    assert.strictEqual(
      noPlaceText(asked, {}),
      "These questions don't take your own words. Choose the answers on the card."
    )
    assert.strictEqual(noPlaceText(asked, { fixed: done }), "Choose one of the answers on the card.")
    assert.strictEqual(
      noPlaceText(asked, { fixed: done, other: done }),
      "Every question has an answer. Send them on the card."
    )
  })
})
