import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { lookAtStore, lookAtWorkspace } from "../../../../src/services/machine/doctor/lookAtFolders.ts"
import { lookAtPrograms } from "../../../../src/services/machine/doctor/lookAtPrograms.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

describe("the console's database", () => {
  it.live("is tried out in its folder, which stays as it was", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      assert.isUndefined(yield* lookAtStore(home))
      const db = new DatabaseSync(join(home, "console.db"))
      db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n)")
      assert.isUndefined(yield* lookAtStore(home))
      assert.deepStrictEqual(
        db
          .prepare("SELECT name FROM sqlite_schema")
          .all()
          .map(({ name }) => name),
        ["t"]
      )
      db.close()
      assert.deepStrictEqual(readdirSync(home), ["console.db"])
    })
  )

  it.live("is said to be in use when another program keeps it, and to be damaged when it is", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const db = new DatabaseSync(join(home, "console.db"))
      db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n); BEGIN IMMEDIATE")
      assert.strictEqual((yield* lookAtStore(home))?.reason, "busy")
      db.close()
      writeFileSync(join(home, "console.db"), "not a database, but long enough to be taken for one".repeat(20))
      assert.strictEqual((yield* lookAtStore(home))?.reason, "damaged")
    })
  )
})

it.live("changes to a workspace are heard of, and nothing stays of the one that is made to find out", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory
    const { missed } = yield* lookAtWorkspace(folder)
    assert.isUndefined(missed)
    assert.deepStrictEqual(readdirSync(folder), [])
    assert.strictEqual((yield* lookAtWorkspace(join(folder, "missing"))).missed, "all")
  })
)

it.live("programs are started, and said to be missing where they can't be", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory
    const program = (name: string, text: string) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(folder, name), 0o755)
      return join(folder, name)
    }
    const settings = {
      isDemo: false,
      ffmpegCommand: program("ffmpeg", 'echo "ffmpeg version 5.1.9-0 Copyright"'),
      gatewayCli: program("openclaw", "echo 2026.9.6"),
      agentBCommand: join(folder, "claude")
    }
    const here = yield* lookAtPrograms(settings, true)
    assert.deepInclude(here.ffmpeg, { state: "ok", detail: "Version 5.1.9-0." })
    assert.deepInclude(here["gateway-cli"], { state: "ok", detail: "Version 2026.9.6." })
    assert.strictEqual(here.git.state, "ok")
    // The tool isn't reported missing if it isn't used.
    vi.stubEnv("HOME", folder)
    assert.isUndefined((yield* lookAtPrograms(settings, true))["agent-b"])
    mkdirSync(join(folder, ".claude"))
    const missed = (yield* lookAtPrograms(settings, true))["agent-b"]
    assert.strictEqual(missed?.state, "warning")
    assert.include(missed?.fix ?? "", "agent-console service install")
    const there = { ...settings, agentBCommand: program("claude", 'echo "2.1.0 (Claude Code)"') }
    assert.deepInclude((yield* lookAtPrograms(there, true))["agent-b"], { state: "ok", detail: "Version 2.1.0." })
    const gone = { ...settings, gatewayCli: join(folder, "gone"), ffmpegCommand: join(folder, "gone") }
    assert.strictEqual((yield* lookAtPrograms(gone, true))["gateway-cli"].state, "warning")
    assert.strictEqual((yield* lookAtPrograms(gone, false))["gateway-cli"].state, "ok")
    assert.strictEqual((yield* lookAtPrograms(gone, false)).ffmpeg.state, "warning")
    const demo = yield* lookAtPrograms({ ...settings, isDemo: true }, true)
    assert.isUndefined(demo["agent-b"])
    assert.notInclude(demo["gateway-cli"].detail, "2026.9.6")
  }).pipe(Effect.provide(NodeServices.layer))
)
