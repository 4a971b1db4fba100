import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { countChanges, type DiffRow, diffRows, foldRows, pairRows } from "../../../src/core/text/diffRows.ts"

const Text = Schema.Array(Schema.Literals(["one", "two", "three", "", "  four"]))
const sideOf = (rows: ReadonlyArray<DiffRow>, side: "before" | "after") =>
  rows.filter((row) => row[side] !== null).map((row) => row.text)

describe("diffRows", () => {
  it.prop("holds both texts whole, each line numbered in order", [Text, Text], ([before, after]) => {
    const rows = diffRows(before.map((line) => `${line}\n`).join(""), after.map((line) => `${line}\n`).join(""))
    assert.deepStrictEqual(sideOf(rows, "before"), [...before])
    assert.deepStrictEqual(sideOf(rows, "after"), [...after])
    for (const side of ["before", "after"] as const) {
      const numbers = rows.flatMap((row) => row[side] ?? [])
      assert.deepStrictEqual(
        numbers,
        numbers.map((_, index) => index + 1)
      )
    }
  })

  it.prop("folding and pairing lose no line", [Text, Text], ([before, after]) => {
    const rows = diffRows(before.join("\n"), after.join("\n"))
    assert.deepStrictEqual(
      foldRows(rows).flatMap((part) => part.rows),
      [...rows]
    )
    const pairs = pairRows(rows)
    assert.deepStrictEqual(
      pairs.flatMap((pair) => pair.left?.text ?? []),
      sideOf(rows, "before")
    )
    assert.deepStrictEqual(
      pairs.flatMap((pair) => pair.right?.text ?? []),
      sideOf(rows, "after")
    )
  })

  it("takes line ends of any kind for the same", () => {
    assert.deepStrictEqual(countChanges(diffRows("a\r\nb\r\n", "a\nb")), { added: 0, removed: 0 })
  })

  it("hides what is far from a change, and never a single line", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    const changed = lines.with(10, "changed")
    const parts = foldRows(diffRows(lines.join("\n"), changed.join("\n")))
    assert.deepStrictEqual(
      parts.map((part) => [part.hidden, part.rows.length]),
      [
        [true, 7],
        [false, 8],
        [true, 16]
      ]
    )
    const twice = lines.with(10, "changed").with(18, "changed")
    const joined = foldRows(diffRows(lines.join("\n"), twice.join("\n")))
    assert.deepStrictEqual(
      joined.map((part) => part.hidden),
      [true, false, true]
    )
  })

  it("gives up on texts that have nothing in common, and still shows both", () => {
    const text = (word: string) => Array.from({ length: 4_000 }, (_, index) => `${word} ${index}`).join("\n")
    assert.deepStrictEqual(countChanges(diffRows(text("a"), text("b"))), { added: 4_000, removed: 4_000 })
  })
})
