import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

describe("agent-console service", () => {
  it.live("shows the file it would write, or says that there is no manager", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["service", "install", "--print"] })
      if (ended.code === exitCodes.ok) assert.match(ended.stdout, /WorkingDirectory|<plist/)
      else assert.include(ended.stderr, "neither systemd nor launchd")
    })
  )

  it.live.skipIf(process.getuid?.() !== 0)("is no crash for a user without a name (needs root)", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      chmodSync(directory, 0o777)
      for (const args of [
        ["service", "install", "--print"],
        ["service", "status"]
      ]) {
        const ended = yield* runConsole({ directory, args, as: 54_321 })
        assert.include([exitCodes.ok, exitCodes.service], ended.code, ended.stderr)
        assert.notInclude(ended.stderr, "internal error")
      }
    })
  )

  it.live("names what only this shell has, without its value", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, ".env"), "PORT=3080\n")
      const variables = { GATEWAY_TOKEN: "the-secret-token", PORT: "3080", LANGUAGE: "de" }
      const ended = yield* runConsole({ directory, args: ["service", "install", "--print"], variables })
      assert.include(ended.stderr, "the service doesn't get what only this shell has: GATEWAY_TOKEN. Set it in .env")
      assert.notInclude(ended.stderr, "the-secret-token")
      if (ended.code === exitCodes.ok) assert.include(ended.stdout, "PATH")
    })
  )

  it.live("says that there is no service yet, with a code of its own", () =>
    Effect.gen(function* () {
      const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["service", "status"] })
      assert.strictEqual(ended.code, exitCodes.service)
      assert.match(ended.stderr, /^agent-console: [^\n]+\n$/)
    })
  )
})
