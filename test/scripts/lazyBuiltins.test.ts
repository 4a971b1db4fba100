import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { build } from "vite"
import { lazyBuiltins } from "../../scripts/lazyBuiltins.ts"

const folder = mkdtempSync(join(tmpdir(), "lazy-builtins-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a built program prints. */
const outputOf = async (source: string): Promise<unknown> => {
  writeFileSync(join(folder, "source.ts"), source)
  await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    plugins: [lazyBuiltins()],
    build: {
      ssr: "source.ts",
      outDir: "dist",
      rollupOptions: { output: { format: "cjs", entryFileNames: "built.cjs" } }
    }
  })
  return JSON.parse(execFileSync(process.execPath, [join(folder, "dist", "built.cjs")], { encoding: "utf8" }))
}

describe("modules of Node that are loaded later", () => {
  it("are loaded by the first call, and are what they are", async () => {
    const printed = await outputOf(`
      import { createHash, Hash, randomUUID, webcrypto } from "node:crypto"
      import * as tls from "node:tls"
      const loaded = () => process.moduleLoadList.some((name) => name === "NativeModule crypto")
      const before = loaded()
      const hash = createHash("sha256").update("a").digest("hex").slice(0, 8)
      console.log(JSON.stringify({
        before,
        after: loaded(),
        hash,
        uuid: randomUUID().length,
        random: webcrypto.getRandomValues(new Uint8Array(4)).length,
        isHash: createHash("sha256") instanceof Hash,
        isSocket: new tls.TLSSocket(undefined as never) instanceof tls.TLSSocket,
        length: createHash.length > 0
      }))
    `)
    assert.deepStrictEqual(printed, {
      before: false,
      after: true,
      hash: "ca978112",
      uuid: 36,
      random: 4,
      isHash: true,
      isSocket: true,
      length: true
    })
  })
})
