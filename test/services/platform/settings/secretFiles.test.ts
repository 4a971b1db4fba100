import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { decodeSettings } from "../../../../src/services/platform/settings/decodeSettings.ts"
import { variablesWithSecrets } from "../../../../src/services/platform/settings/secretFiles.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "secret-files-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

type Given = Readonly<Record<string, string>>

const read = (
  root: string,
  { environment = {}, dotEnv = {} }: { readonly environment?: Given; readonly dotEnv?: Given }
) =>
  variablesWithSecrets({
    environment,
    workingDir: join(root, "work"),
    dotEnv,
    dotEnvDir: join(root, "install"),
    homeDir: join(root, "home")
  }).pipe(Effect.provide(NodeFileSystem.layer))

const withFolders = Effect.gen(function* () {
  const root = yield* folder
  for (const name of ["work", "install", "home"]) mkdirSync(join(root, name))
  return root
})

const base = { homeDir: "/home/somebody", installDir: "/srv/console", webRoot: "/srv/console/web" }

describe("a secret in a file", () => {
  it.effect("is the file's text without one last line break, and nothing else is trimmed", () =>
    Effect.gen(function* () {
      const root = yield* withFolders
      for (const [text, value] of [
        ["token", "token"],
        ["token\n", "token"],
        ["token\r\n", "token"],
        ["token\n\n", "token\n"],
        [" token \n", " token "]
      ] as const) {
        writeFileSync(join(root, "token"), text)
        const all = yield* read(root, { environment: { GATEWAY_TOKEN_FILE: join(root, "token") } })
        const settings = Result.getOrThrow(decodeSettings(all, base))
        assert.strictEqual(settings.gatewayToken === undefined ? "" : Redacted.value(settings.gatewayToken), value)
      }
    })
  )

  it.effect("is looked for where the variable was set: next to .env, or in the working folder", () =>
    Effect.gen(function* () {
      const root = yield* withFolders
      for (const name of ["work", "install", "home"]) writeFileSync(join(root, name, "secret"), `of ${name}`)
      const fromFile = yield* read(root, { dotEnv: { NOTIFY_SECRET_FILE: "secret" } })
      assert.strictEqual(fromFile.NOTIFY_SECRET, "of install")
      const both = yield* read(root, {
        environment: { NOTIFY_SECRET_FILE: "./secret" },
        dotEnv: { NOTIFY_SECRET_FILE: "gone" }
      })
      assert.strictEqual(both.NOTIFY_SECRET, "of work")
      const fromHome = yield* read(root, { dotEnv: { NOTIFY_SECRET_FILE: "~/secret" } })
      assert.strictEqual(fromHome.NOTIFY_SECRET, "of home")
    })
  )

  it.effect("wins over the token's other name", () =>
    Effect.gen(function* () {
      const root = yield* withFolders
      writeFileSync(join(root, "install", "token"), "the one")
      const all = yield* read(root, {
        environment: { ALT_GATEWAY_TOKEN: "another" },
        dotEnv: { GATEWAY_TOKEN_FILE: "token" }
      })
      const { gatewayToken } = Result.getOrThrow(decodeSettings(all, base))
      assert.strictEqual(gatewayToken === undefined ? "" : Redacted.value(gatewayToken), "the one")
    })
  )

  it.effect("is refused, by the name of its setting, if it can't be used", () =>
    Effect.gen(function* () {
      const root = yield* withFolders
      mkdirSync(join(root, "folder"))
      writeFileSync(join(root, "empty"), "\n")
      writeFileSync(join(root, "shut"), "very secret")
      writeFileSync(join(root, "good"), "very secret")
      chmodSync(join(root, "shut"), 0)
      const cases: ReadonlyArray<readonly [file: string, part: string, more?: Given]> = [
        ["folder", "names a folder"],
        ["gone", "names a file that isn't there"],
        ["empty", "names an empty file"],
        ["good", "and BOARD_URL_FILE are both set", { BOARD_URL: "postgres://localhost/board" }],
        ...(process.getuid?.() === 0 ? [] : [["shut", "names a file that can't be read"] as const])
      ]
      for (const [file, part, more = {}] of cases) {
        for (const given of [
          { environment: { BOARD_URL_FILE: join(root, file) }, dotEnv: more },
          { environment: more, dotEnv: { BOARD_URL_FILE: join(root, file) } }
        ]) {
          const { message } = yield* Effect.flip(read(root, given))
          assert.include(message, part)
          assert.include(message, "BOARD_URL_FILE")
          assert.notInclude(message, "very secret")
          assert.notInclude(message, root)
          assert.notInclude(message, "postgres:")
        }
      }
    })
  )
})
