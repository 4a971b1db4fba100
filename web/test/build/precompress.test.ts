import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { compressDirectory } from "../../build/precompress.ts"

describe("compressDirectory", () => {
  let directory = ""
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "precompress-"))
    mkdirSync(join(directory, "assets"))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it("writes siblings that decompress to the original", async () => {
    const text = "const a = 1\n".repeat(200)
    writeFileSync(join(directory, "assets/app.js"), text)
    await compressDirectory(directory)
    assert.strictEqual(brotliDecompressSync(readFileSync(join(directory, "assets/app.js.br"))).toString(), text)
    assert.strictEqual(gunzipSync(readFileSync(join(directory, "assets/app.js.gz"))).toString(), text)
  })

  it("takes modules by their own ending for scripts, too", async () => {
    writeFileSync(join(directory, "assets/worker.mjs"), "const a = 1\n".repeat(200))
    await compressDirectory(directory)
    assert.deepStrictEqual(readdirSync(join(directory, "assets")).sort(), [
      "worker.mjs",
      "worker.mjs.br",
      "worker.mjs.gz"
    ])
  })

  it("leaves files below 1 KB and pictures alone", async () => {
    writeFileSync(join(directory, "small.css"), "a".repeat(1023))
    writeFileSync(join(directory, "icon.png"), "a".repeat(4096))
    await compressDirectory(directory)
    assert.deepStrictEqual(readdirSync(directory).sort(), ["assets", "icon.png", "small.css"])
  })
})
