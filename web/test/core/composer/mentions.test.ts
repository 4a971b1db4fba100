import { assert, describe, it } from "vitest"
import { completeMention, mentionAt, mentionPieces, withMention } from "../../../src/core/composer/mentions.ts"

const file = (path: string) => ({ path, type: "file" }) as const
const folder = (path: string) => ({ path, type: "directory" }) as const

describe("a path that is being typed", () => {
  const at = (text: string, caret = text.length) => mentionAt(text, caret)

  it("begins with @ at the start of a word", () => {
    assert.deepStrictEqual(at("@"), { start: 0, query: "" })
    assert.deepStrictEqual(at("see @docs/pl"), { start: 4, query: "docs/pl" })
    assert.deepStrictEqual(at("(@a"), { start: 1, query: "a" })
    assert.deepStrictEqual(at('see @"my no'), { start: 4, query: "my no" })
    assert.deepStrictEqual(at("line\n@x"), { start: 5, query: "x" })
    for (const text of ["me@example.com", "@done ", 'see @"all of it" ', "a@b", "@a@b"]) assert.isNull(at(text), text)
  })

  it("ends at the caret", () => {
    assert.deepStrictEqual(at("@docs and more", 3), { start: 0, query: "do" })
    assert.isNull(at("@docs and more", 8))
  })

  it("is replaced by the chosen one, in quotes where it needs them", () => {
    const chosen = (text: string, entry: Parameters<typeof withMention>[2], caret = text.length) => {
      const { caret: next, text: all } = withMention(text, caret, entry)
      return `${all.slice(0, next)}|${all.slice(next)}`
    }
    assert.strictEqual(chosen("see @pl", file("books/plan.md")), "see @books/plan.md |")
    assert.strictEqual(chosen("see @pl now", file("books/plan.md"), 7), "see @books/plan.md |now")
    assert.strictEqual(chosen("@my", file("my notes.md")), '@"my notes.md" |')
    assert.strictEqual(chosen("@Make", file("Makefile")), '@"Makefile" |')
    assert.strictEqual(chosen("@do", folder("docs")), "@docs/|")
    assert.strictEqual(chosen("@my", folder("my docs")), '@"my docs/|"')
    assert.strictEqual(chosen('@"my books/pl"', file("my books/plan.md"), 13), '@"my books/plan.md" |')
  })

  it("has a line for each that was found", () => {
    assert.deepStrictEqual(completeMention("@d", 2, [folder("docs"), file("data.csv")]), [
      { text: "@docs/", caret: 6, label: "docs/", hint: "" },
      { text: "@data.csv ", caret: 10, label: "data.csv", hint: "" }
    ])
  })
})

describe("the files that a message names", () => {
  const named = (text: string) => mentionPieces(text).flatMap(({ path }) => path ?? [])

  it("are found with and without quotes, without what follows them", () => {
    assert.deepStrictEqual(named('see @books/plan.md, (@"my notes.txt") and @src/.'), [
      "books/plan.md",
      "my notes.txt",
      "src/"
    ])
    assert.deepStrictEqual(named("in @docs/ and @README.md!"), ["docs/", "README.md"])
  })

  it("are no addresses, names or paths outside the workspace", () => {
    assert.deepStrictEqual(named("me@example.com, @anna, @types/node, @/etc/passwd.txt, @../x.md"), [])
  })

  it("leave the text as it is", () => {
    for (const text of ["", "plain", '@a.md @"b c" @d.md', "x @a.md.", "🦀 @🦀.md"])
      assert.strictEqual(
        mentionPieces(text)
          .map((piece) => piece.text)
          .join(""),
        text
      )
  })
})
