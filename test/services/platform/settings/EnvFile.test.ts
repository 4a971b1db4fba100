import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EnvFile } from "../../../../src/services/platform/settings/EnvFile.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { PathLocks } from "../../../../src/services/platform/storage/PathLocks.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { testSettings } from "../../../support/testSettings.ts"

const inFolder = <A, E>(use: (folder: string, env: EnvFile["Service"]) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const layer = EnvFile.layer.pipe(
      Layer.provide(PathLocks.layer),
      Layer.provide(Settings.layerOf(testSettings({ installDir: folder }))),
      Layer.provide(NodeServices.layer)
    )
    return yield* Effect.flatMap(EnvFile, (env) => use(folder, env)).pipe(Effect.provide(layer))
  })

describe(".env is rewritten whole", () => {
  it.effect("a new one is its owner's alone, one that is there keeps its mode", () =>
    inFolder((folder, env) =>
      Effect.gen(function* () {
        yield* env.set({ SVC_LANGUAGE: "de" })
        assert.strictEqual(readFileSync(`${folder}/.env`, "utf8"), "SVC_LANGUAGE=de\n")
        assert.strictEqual(statSync(`${folder}/.env`).mode & 0o777, 0o600)
        chmodSync(`${folder}/.env`, 0o640)
        yield* env.set({ SVC_LANGUAGE: "fr" })
        assert.strictEqual(statSync(`${folder}/.env`).mode & 0o777, 0o640)
        assert.deepStrictEqual(readdirSync(folder), [".env"])
      })
    )
  )

  it.effect("writers at the same time lose nothing of each other", () =>
    inFolder((folder, env) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`)
        yield* Effect.forEach(names, (name) => env.set({ [name]: "x" }), { concurrency: "unbounded", discard: true })
        const written = readFileSync(`${folder}/.env`, "utf8").trim().split("\n")
        assert.sameMembers(
          written,
          names.map((name) => `${name}=x`)
        )
      })
    )
  )

  it.effect("a comment in another encoding and a byte order mark stay as they are, byte for byte", () =>
    inFolder((folder, env) =>
      Effect.gen(function* () {
        const [mark, comment] = [Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("# gr\xfc\xdfe \x80\n", "latin1")]
        const line = (language: string) => Buffer.from(`SVC_LANGUAGE=${language}\n`)
        writeFileSync(`${folder}/.env`, Buffer.concat([mark, line("en"), comment]))
        yield* env.set({ SVC_LANGUAGE: "de" })
        assert.deepStrictEqual(readFileSync(`${folder}/.env`), Buffer.concat([mark, line("de"), comment]))
      })
    )
  )
})
