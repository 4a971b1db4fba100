import { assert, describe, it } from "@effect/vitest"
import { foundLines, hitTexts } from "../../../src/core/search/hitTexts.ts"

const plain = (text: string) => ({ text, hit: false })
const found = (text: string) => ({ text, hit: true })

describe("hitTexts", () => {
  it("shows a card's title by itself, with what was found in it", () => {
    const snippet = [plain("Write the "), found("release"), plain(" notes Say what is new in this "), found("release")]
    assert.deepStrictEqual(hitTexts({ kind: "task", title: "Write the release  notes", snippet }), {
      title: [plain("Write the "), found("release"), plain(" notes")],
      text: [plain(" Say what is new in this "), found("release")]
    })
    assert.deepStrictEqual(hitTexts({ kind: "task", title: "Release", snippet: [found("Release")] }), {
      title: [found("Release")],
      text: []
    })
  })

  it("shows the title when the words around a hit begin further down, and leaves other hits as they are", () => {
    const snippet = [plain("…far below, the "), found("release")]
    assert.deepStrictEqual(hitTexts({ kind: "task", title: "Notes", snippet }), {
      title: [plain("Notes")],
      text: snippet
    })
    assert.deepStrictEqual(hitTexts({ kind: "message", title: null, snippet }), { title: null, text: snippet })
  })

  it("shows the lines that something was found in, and what follows a heading", () => {
    const line = [
      plain("…4th · Projects · The spring "),
      found("newsletter"),
      plain(", which goes out in March · A lamp")
    ]
    assert.deepStrictEqual(foundLines(line), [
      plain("The spring "),
      found("newsletter"),
      plain(", which goes out in March")
    ])
    const heading = [
      plain("2026-11-24 · "),
      found("Newsletter"),
      plain(" · Asked for a quote: 400 copies, two colours · Ten readers")
    ]
    assert.deepStrictEqual(foundLines(heading), [
      found("Newsletter"),
      plain(" · "),
      plain("Asked for a quote: 400 copies, two colours")
    ])
    assert.deepStrictEqual(foundLines([plain("nothing")]), [plain("nothing")])
    assert.deepStrictEqual(hitTexts({ kind: "memory", title: null, snippet: line }).text, foundLines(line))
  })
})
