import { assert, describe, it } from "@effect/vitest"
import { removeItem, replaceItem } from "../../../src/core/knowledge/memoryItems.ts"
import { memoryView, searchMemory } from "../../../src/core/knowledge/memoryView.ts"

describe("a bullet in a section's text", () => {
  it("gets another text and keeps its mark, its nested bullets and the line breaks", () => {
    assert.strictEqual(replaceItem("* one\r\n  * in it\r\n* two", "one", "1"), "* 1\r\n  * in it\r\n* two")
    assert.strictEqual(replaceItem("- one\n  goes on\n- two", "one goes on", "short"), "- short\n- two")
    assert.strictEqual(replaceItem("- last", "last", "end\n## not a heading"), "- end ## not a heading")
  })

  it("goes with what is nested in it", () => {
    assert.strictEqual(removeItem("- one\n  - in it\n\n  more\n- two\n", "one"), "- two\n")
    assert.strictEqual(removeItem("text\n\n- only", "only"), "text\n\n")
  })

  it("is not found under a heading inside, in code, or by part of its text", () => {
    for (const content of ["### Below\n- one", "```\n- one\n```", "- one and more"]) {
      assert.isNull(replaceItem(content, "one", "x"), content)
      assert.isNull(removeItem(content, "one"), content)
    }
  })
})

describe("the memory's list", () => {
  const view = memoryView([
    { type: "item", text: "above all" },
    { type: "section", text: "Taste" },
    { type: "item", text: "green tea" },
    { type: "section", text: "Taste" },
    { type: "item", text: "quiet" },
    { type: "daily", date: "2026-01-02", text: "Morning" },
    { type: "daily", date: "2026-01-01", text: "Evening" }
  ])

  it("keeps sections of one name apart, and bullets above the first heading", () => {
    assert.deepStrictEqual(
      view.sections.map(({ title, items, isRepeated }) => [title, items, isRepeated]),
      [
        [null, ["above all"], false],
        ["Taste", ["green tea"], false],
        ["Taste", ["quiet"], true]
      ]
    )
    assert.strictEqual(new Set(view.sections.map(({ id }) => id)).size, 3)
    assert.deepStrictEqual(
      view.days.map(({ date }) => date),
      ["2026-01-02", "2026-01-01"]
    )
  })

  it("is searched in titles, bullets and the text of days", () => {
    const search = (query: string) => {
      const found = searchMemory(view, query, (_date, heading) => (heading === "Evening" ? "Read a book" : null))
      return [...found.sections.flatMap(({ items }) => items), ...found.days.flatMap(({ headings }) => headings)]
    }
    assert.deepStrictEqual(search("taste"), ["green tea", "quiet"])
    assert.deepStrictEqual(search("TEA taste"), ["green tea"])
    assert.deepStrictEqual(search("book"), ["Evening"])
    assert.deepStrictEqual(search("2026-01-02"), ["Morning"])
    assert.deepStrictEqual(search("nothing"), [])
    assert.strictEqual(
      searchMemory(view, "  ", () => null),
      view
    )
  })
})
