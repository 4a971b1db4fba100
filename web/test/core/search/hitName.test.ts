import { assert, describe, it } from "@effect/vitest"
import { hitName, isOfDay } from "../../../src/core/search/hitTexts.ts"

const NOW = Date.parse("2026-11-26T12:00:00Z")
const nameOf = (path: string | null, kind: "memory" | "document" = "memory") => hitName({ kind, path }, NOW)

describe("hitName", () => {
  it("calls a memory by its day and what it is about", () => {
    assert.strictEqual(nameOf("memory/2026-11-24.md"), "Tuesday, November 24")
    assert.strictEqual(nameOf("memory/2025-01-02-lamp_and-boats.md"), "Thursday, January 2, 2025 · lamp and boats")
    assert.strictEqual(nameOf("MEMORY.md"), "Long-term memory")
    assert.isTrue(isOfDay({ kind: "memory", path: "memory/2026-11-24.md" }))
    assert.isFalse(isOfDay({ kind: "memory", path: "MEMORY.md" }))
  })

  it("calls everything else by its path", () => {
    assert.strictEqual(nameOf("memory/notes.md"), "memory/notes.md")
    assert.strictEqual(nameOf("SOUL.md", "document"), "SOUL.md")
  })
})
