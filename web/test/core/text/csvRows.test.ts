import { assert, describe, it } from "@effect/vitest"
import { csvRows } from "../../../src/core/text/csvRows.ts"

const rows = (text: string) => csvRows(text, 100).rows

describe("separated values", () => {
  it("are parted by what parts most of the first line", () => {
    assert.deepStrictEqual(rows("a,b\n1,2\n"), [
      ["a", "b"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(rows("name;price\nLamp;1,50"), [
      ["name", "price"],
      ["Lamp", "1,50"]
    ])
    assert.deepStrictEqual(rows("a\tb\r\n1\t2"), [
      ["a", "b"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(rows('"a,b,c";d\n1;2'), [
      ["a,b,c", "d"],
      ["1", "2"]
    ])
  })

  it("in quotes hold separators, line breaks and quotes", () => {
    assert.deepStrictEqual(rows('a,b\n"1,5","two\nlines"\n"say ""hi""",'), [
      ["a", "b"],
      ["1,5", "two\nlines"],
      ['say "hi"', ""]
    ])
  })

  it("lose neither a last line without an end nor an empty cell, and no empty line is a row", () => {
    assert.deepStrictEqual(rows("\ufeffa,b\n\n,\n1,"), [
      ["a", "b"],
      ["", ""],
      ["1", ""]
    ])
    assert.deepStrictEqual(rows(""), [])
    assert.deepStrictEqual(rows('"never closed,\nx'), [["never closed,\nx"]])
  })

  it("end at the most rows that are wanted, and say so", () => {
    const text = Array.from({ length: 50 }, (_, index) => `${index},x`).join("\n")
    assert.lengthOf(csvRows(text, 10).rows, 10)
    assert.isTrue(csvRows(text, 10).hasMore)
    assert.isFalse(csvRows(text, 50).hasMore)
  })
})
