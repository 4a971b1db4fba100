import { assert, describe, it } from "@effect/vitest"
import { hitTexts } from "../../../src/core/search/hitTexts.ts"

const plain = (text: string) => ({ text, hit: false })
const found = (text: string) => ({ text, hit: true })

describe("hitTexts", () => {
  it("shows a card's title by itself, with what was found in it", () => {
    const snippet = [plain("Write the "), found("release"), plain(" notes Say what is new in this "), found("release")]
    assert.deepStrictEqual(hitTexts({ title: "Write the release  notes", snippet }), {
      title: [plain("Write the "), found("release"), plain(" notes")],
      text: [plain(" Say what is new in this "), found("release")]
    })
    assert.deepStrictEqual(hitTexts({ title: "Release", snippet: [found("Release")] }), {
      title: [found("Release")],
      text: []
    })
  })

  it("shows the title when the words around a hit begin further down, and leaves other hits as they are", () => {
    const snippet = [plain("…far below, the "), found("release")]
    assert.deepStrictEqual(hitTexts({ title: "Notes", snippet }), { title: [plain("Notes")], text: snippet })
    assert.deepStrictEqual(hitTexts({ title: null, snippet }), { title: null, text: snippet })
  })
})
