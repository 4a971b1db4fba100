import { assert, describe, it } from "@effect/vitest"
import { freeName, numberedName } from "../../../src/core/knowledge/freeName.ts"

describe("the name of a file kept next to another", () => {
  it("gets a number before its ending, the first that is free", () => {
    assert.strictEqual(numberedName("report.pdf", 2), "report (2).pdf")
    assert.strictEqual(numberedName(".env", 2), ".env (2)")
    assert.strictEqual(numberedName("notes", 3), "notes (3)")
    assert.strictEqual(freeName("a.md", new Set(["a.md", "a (2).md"])), "a (3).md")
  })
})
