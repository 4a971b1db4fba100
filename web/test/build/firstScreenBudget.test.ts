import { assert, describe, it } from "@effect/vitest"
import { bytesByLanguage, type Chunk, firstScreenFiles } from "../../build/firstScreenBudget.ts"

const chunk = (name: string, imports: ReadonlyArray<string>, isEntry = false): Chunk => ({
  name,
  imports,
  isEntry,
  code: ""
})

describe("firstScreenFiles", () => {
  it("counts the entry, the named lazy chunks and what they import, and no other lazy chunk", () => {
    const files = firstScreenFiles(
      {
        "index.js": chunk("index", ["core.js"], true),
        "core.js": chunk("core", []),
        "chat.js": chunk("Chat", ["core.js", "time.js"]),
        "time.js": chunk("time", []),
        "board.js": chunk("Board", [])
      },
      ["Chat"]
    )
    assert.deepStrictEqual([...files].sort(), ["chat.js", "core.js", "index.js", "time.js"])
  })
})

const texts = (source: string) => ({ type: "asset", source }) as const

describe("bytesByLanguage", () => {
  it("adds the texts of a language to what every language loads", () => {
    const bundle = {
      "languages/de.js": texts("Karten"),
      "languages/ar.js": texts("بطاقات و بطاقات أخرى"),
      "sw.js": texts("self")
    }
    const totals = bytesByLanguage(bundle, 1000)
    assert.deepStrictEqual([...totals.keys()], ["en", "de", "ar"])
    assert.strictEqual(totals.get("en"), 1000)
    assert.isAbove(totals.get("de") ?? 0, 1000)
    assert.isAbove(totals.get("ar") ?? 0, totals.get("de") ?? 0)
  })
})
