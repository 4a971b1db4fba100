import { assert, describe, it } from "@effect/vitest"
import { createTexts, localeFor } from "../../../src/core/language/say.ts"

const CARDS = "{count} card|{count} cards"

describe("texts of the page", () => {
  it("are English where the catalogue has nothing", () => {
    const { say, sayCount, piecesOf } = createTexts({}, "en")
    assert.strictEqual(say("Send back"), "Send back")
    assert.strictEqual(say("{name} was removed.", { name: "Notes" }), "Notes was removed.")
    assert.strictEqual(sayCount(1, "{count} card", "{count} cards"), "1 card")
    assert.strictEqual(sayCount(12_345, "{count} card", "{count} cards"), "12,345 cards")
    assert.deepStrictEqual(piecesOf("Type {command} to begin."), [
      { text: "Type " },
      { name: "command" },
      { text: " to begin." }
    ])
  })

  it("are translated, with their values wherever the language has them", () => {
    const { say, piecesOf } = createTexts(
      { "{name} was removed.": "Entfernt: {name}", "Type {command} to begin.": "{command} で始めます。" },
      "ja"
    )
    assert.strictEqual(say("{name} was removed.", { name: "Notes" }), "Entfernt: Notes")
    assert.deepStrictEqual(piecesOf("Type {command} to begin."), [{ name: "command" }, { text: " で始めます。" }])
  })

  it("leave a placeholder without a value unchanged, and don't replace within values", () => {
    const { say } = createTexts({}, "en")
    assert.strictEqual(say("{name} of {place}", { name: "{place}" }), "{place} of {place}")
  })

  it("have the forms that a language needs for a count", () => {
    const forms = {
      zero: "لا بطاقات",
      one: "بطاقة",
      two: "بطاقتان",
      few: "{count} بطاقات",
      many: "{count} بطاقة",
      other: "{count} بطاقة"
    }
    const { sayCount } = createTexts({ [CARDS]: forms }, "ar")
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((count) => sayCount(count, "{count} card", "{count} cards")),
      ["لا بطاقات", "بطاقة", "بطاقتان", "3 بطاقات"]
    )
    const german = createTexts({ [CARDS]: { one: "{count} Karte", other: "{count} Karten" } }, "de")
    assert.strictEqual(german.sayCount(1234, "{count} card", "{count} cards"), "1.234 Karten")
    // A language with one form for everything.
    assert.strictEqual(
      createTexts({ [CARDS]: { other: "卡片 {count}" } }, "zh").sayCount(1, "{count} card", "{count} cards"),
      "卡片 1"
    )
  })

  it("are written as the browser's region does it where it speaks the page's language", () => {
    assert.strictEqual(localeFor("de", ["en-GB", "de-AT", "de"]), "de-AT")
    assert.strictEqual(localeFor("ja", ["en-GB"]), "ja")
  })
})
