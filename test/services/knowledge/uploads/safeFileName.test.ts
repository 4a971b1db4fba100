import { assert, describe, it } from "@effect/vitest"
import { numberedName, safeFileName } from "../../../../src/services/knowledge/uploads/safeFileName.ts"

const bytes = (text: string) => new TextEncoder().encode(text).length

describe("a file's name", () => {
  it("stays as it is where any system can keep it", () => {
    for (const name of [
      "report.pdf",
      "données 🦀.bin",
      "a [final] (2).tar.gz",
      "__proto__",
      "constructor",
      "日本語.txt"
    ])
      assert.strictEqual(safeFileName(name), name)
  })

  it("never says where the file goes", () => {
    assert.strictEqual(safeFileName("../../etc/passwd"), "passwd")
    assert.strictEqual(safeFileName("C:\\Users\\me\\plan.docx"), "plan.docx")
    assert.strictEqual(safeFileName("..\\..\\evil.sh"), "evil.sh")
    assert.strictEqual(safeFileName(".."), "file")
    assert.strictEqual(safeFileName("a/.."), "file")
    assert.strictEqual(safeFileName(""), "file")
    assert.strictEqual(safeFileName(".env"), "env")
  })

  it("has nothing that isn't seen or turns the text around", () => {
    assert.strictEqual(safeFileName("photo\u202Egpj.exe"), "photogpj.exe")
    assert.strictEqual(safeFileName("a\u0000b\u0007c\u200Bd\u2028e.txt"), "abcde.txt")
    assert.strictEqual(safeFileName("half \uD800 a letter.txt"), "half \uFFFD a letter.txt")
  })

  it("keeps what joins letters and emoji, and only there", () => {
    for (const name of ["می\u200Cخواهم.txt", "👨\u200D👩\u200D👧.png", "ക്\u200Dഷ.txt", "👍🏽\u200D❤.txt"])
      assert.strictEqual(safeFileName(name), name)
    assert.strictEqual(safeFileName("\u200Ca.txt"), "a.txt")
    assert.strictEqual(safeFileName("a\u200D.txt"), "a.txt")
    assert.strictEqual(safeFileName("a\u200D\u200Db 1\u200C2.txt"), "ab 12.txt")
    const long = safeFileName(`${"می\u200Cخ".repeat(40)}.txt`)
    assert.isAtMost(bytes(long), 200)
    assert.notMatch(long, /\u200C\.txt$/)
  })

  it("is valid on Windows, in a quoted path and in code", () => {
    assert.strictEqual(safeFileName("CON"), "_CON")
    assert.strictEqual(safeFileName("nul.txt"), "_nul.txt")
    assert.strictEqual(safeFileName("console.txt"), "console.txt")
    assert.strictEqual(safeFileName('a<b>:"c"|?*`.txt'), "a_b___c_____.txt")
    assert.strictEqual(safeFileName("ends with dots. . "), "ends with dots")
  })

  it("is made shorter between letters, and keeps its ending", () => {
    const long = safeFileName(`${"🦀".repeat(3_000)}.pdf`)
    assert.isAtMost(bytes(long), 180)
    assert.isTrue(long.isWellFormed())
    assert.match(long, /^🦀+\.pdf$/u)
    assert.isAtMost(bytes(safeFileName("x".repeat(10_000))), 180)
  })

  it("gets a number before its ending where it's taken", () => {
    assert.strictEqual(numberedName("report.pdf", 1), "report.pdf")
    assert.strictEqual(numberedName("report.pdf", 2), "report-2.pdf")
    assert.strictEqual(numberedName("Makefile", 3), "Makefile-3")
  })
})
