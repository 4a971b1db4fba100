import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { pruneChunks } from "../../scripts/pruneChunks.ts"

it("the chunks of the previous build stay for one more build, for pages that still load them", () => {
  const root = mkdtempSync(join(tmpdir(), "agent-console-chunks-"))
  try {
    const folder = join(root, "dist/chunks")
    mkdirSync(folder, { recursive: true })
    const build = (second: number, ...names: ReadonlyArray<string>) => {
      for (const name of names) {
        writeFileSync(join(folder, name), "")
        utimesSync(join(folder, name), second, second)
      }
      pruneChunks(root, second * 1000)
      return readdirSync(folder).sort()
    }
    assert.deepStrictEqual(build(10, "a-1.js", "b-1.js"), ["a-1.js", "b-1.js"])
    assert.deepStrictEqual(build(20, "a-2.js", "b-1.js"), ["a-1.js", "a-2.js", "b-1.js"])
    assert.deepStrictEqual(build(30, "a-3.js"), ["a-2.js", "a-3.js", "b-1.js"])
    assert.deepStrictEqual(build(40, "a-3.js"), ["a-3.js"])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
