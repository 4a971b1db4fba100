import { assert, describe, it } from "@effect/vitest"
import { type Chunk, firstScreenFiles } from "../../build/firstScreenBudget.ts"

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
