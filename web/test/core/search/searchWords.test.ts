import { assert, describe, it } from "@effect/vitest"
import { hasFilter, partsWritten, valueOf, withToggled, withValue } from "../../../src/core/search/searchWords.ts"

const textsOf = (text: string) => partsWritten(text).map((part) => part.text)

describe("partsWritten", () => {
  it("takes a phrase in quotes as one piece, also a word that must not occur and an open quote", () => {
    assert.deepStrictEqual(textsOf('one "two three" -"four five" -six'), ["one", '"two three"', '-"four five"', "-six"])
    assert.deepStrictEqual(textsOf('one "two three'), ["one", '"two three'])
  })

  it("reads filters by name, with a value in quotes too", () => {
    const filters = partsWritten('From:me session:"Daily report" word').map((part) => part.filter)
    assert.deepStrictEqual(filters, [{ name: "from", value: "me" }, { name: "session", value: "Daily report" }, null])
  })

  it("takes no address, time of day or empty value for a filter", () => {
    for (const text of ["12:30", "from:", 'from:""', ":me", "a/b:c"])
      assert.deepStrictEqual(
        partsWritten(text).flatMap((part) => part.filter ?? []),
        [],
        text
      )
  })

  it("loses nothing that isn't a space", () => {
    for (const text of ['a"b', '""', '"', "a:b:c", 'x:"y', "日本語 検索"])
      assert.strictEqual(textsOf(text).join("").replaceAll(" ", ""), text.replaceAll(" ", ""), text)
  })
})

describe("filters on buttons", () => {
  const me = { name: "from", value: "me" }

  it("are written after the words, and taken out again", () => {
    const written = withToggled("deploy plan", me)
    assert.strictEqual(written, "deploy plan from:me")
    assert.isTrue(hasFilter(written, me))
    assert.strictEqual(withToggled(written, me), "deploy plan")
  })

  it("several values of one filter are next to each other", () => {
    const both = withToggled(withToggled("x", { name: "kind", value: "task" }), { name: "kind", value: "log" })
    assert.strictEqual(both, "x kind:task kind:log")
    assert.strictEqual(withToggled(both, { name: "kind", value: "task" }), "x kind:log")
  })

  it("a choice replaces the value, in quotes if it has a space, and removes it", () => {
    assert.strictEqual(withValue("x after:7d", "after", "30d"), "x after:30d")
    assert.strictEqual(withValue("x", "session", "Daily report"), 'x session:"Daily report"')
    assert.strictEqual(withValue("x after:7d", "after", ""), "x")
    assert.strictEqual(valueOf("after:7d x after:30d", "after"), "30d")
    assert.strictEqual(valueOf("x", "after"), "")
  })
})
