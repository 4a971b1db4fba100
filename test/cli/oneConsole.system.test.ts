import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { addressOf } from "../support/printed.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const VARIABLES = { PORT: "0", GATEWAY_TOKEN: "let-me-in", GATEWAY_URL: "http://127.0.0.1:1" }

const accessIn = (directory: string) => readFileSync(join(directory, ".agent-console", "local-access.json"), "utf8")

describe("one console for one folder", () => {
  it.live("a second one refuses with the process of the first, by whatever name it reaches the folder", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* startConsole({ directory, variables: VARIABLES })
      yield* addressOf(first)
      const access = accessIn(directory)
      symlinkSync(join(directory, ".agent-console"), join(directory, "other-name"))
      for (const home of ["~/.agent-console", "~/other-name"]) {
        const second = yield* runConsole({ directory, variables: { ...VARIABLES, SVC_HOME: home } })
        assert.strictEqual(second.code, exitCodes.home, second.stderr)
        assert.strictEqual(
          second.stderr,
          `agent-console: another console (process ${first.child.pid}) is running with the folder ${home}: use that one, stop it, or set SVC_HOME to another folder for this one\n`
        )
        assert.strictEqual(second.stdout, "")
      }
      assert.strictEqual(accessIn(directory), access)
      const found = yield* runConsole({ directory, args: ["search", "greenhouse"] })
      assert.strictEqual(found.code, exitCodes.nothingFound, found.stderr)
    })
  )

  it.live("the next one starts although the first was killed, and while the first is still closing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* startConsole({ directory, variables: VARIABLES })
      yield* addressOf(first)
      first.child.kill("SIGKILL")
      yield* Effect.promise(() => first.ended)
      const second = yield* startConsole({ directory, variables: VARIABLES })
      yield* addressOf(second)
      second.child.kill("SIGTERM")
      const third = yield* startConsole({ directory, variables: VARIABLES })
      yield* addressOf(third)
      assert.include(accessIn(directory), `"pid":${third.child.pid}`)
    })
  )

  it.live("a demo beside it has a folder of its own", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* addressOf(yield* startConsole({ directory, variables: VARIABLES }))
      yield* addressOf(yield* startConsole({ directory, args: ["--demo"], variables: { PORT: "0" } }))
    })
  )
})
