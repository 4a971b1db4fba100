import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

/** Runs it on a folder with this `.env`. */
const check = (
  dotEnv: string,
  { variables, args = [] }: { variables?: Readonly<Record<string, string>>; args?: ReadonlyArray<string> } = {}
) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    writeFileSync(join(directory, ".env"), dotEnv)
    writeFileSync(join(directory, "board"), "postgres://me:hunter2@box/board\n")
    return yield* runConsole({
      directory,
      args: ["config", "check", ".", ...args],
      ...(variables === undefined ? {} : { variables })
    })
  })

describe("config check", () => {
  it.live("shows where each value comes from, and no secret", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* check(
        [
          "# mine",
          "GATEWAY_TOKEN=hunter2",
          "PORT=3081",
          "HOST=127.0.0.1",
          "BOARD_URL_FILE=board",
          "NOTIFY_URL=https://chat.example/hooks/hunter2",
          "GATEWAY_URL=http://hunter2:hunter2@127.0.0.1:18789"
        ].join("\n"),
        { variables: { PORT: "3082" } }
      )
      assert.strictEqual(code, exitCodes.ok, stderr + stdout)
      assert.match(stdout, /^ {2}PORT +3082 +environment$/m)
      assert.match(stdout, /^ {2}HOST +127\.0\.0\.1 +\.env, line 4$/m)
      assert.match(stdout, /^ {2}GATEWAY_TOKEN +\(not shown\) +\.env, line 2$/m)
      assert.match(stdout, /^ {2}BOARD_URL_FILE +board \(BOARD_URL is in this file\) +\.env, line 5$/m)
      assert.match(stdout, /^ {2}GATEWAY_URL +http:\/\/…@127\.0\.0\.1:18789 +\.env, line 7$/m)
      assert.notInclude(stdout + stderr, "hunter2")
    })
  )

  it.live("names unknown settings with what was meant, and every wrong value with its line", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* check(
        "SVC_AUHT=true\nHSTS=on\n\nBASE_PATH=/console/\nGATEWAY_TOKEN=x\n",
        {
          variables: { LOG_LEVEL: "loud" }
        }
      )
      assert.strictEqual(code, exitCodes.settings)
      assert.strictEqual(stderr, "")
      assert.include(stdout, "✗ SVC_AUHT (.env, line 1) isn't a setting of the console.\n  → Did you mean SVC_AUTH?\n")
      assert.include(stdout, "✗ HSTS (.env, line 2) must be one of: subdomains, host, off.\n")
      assert.match(stdout, /^✗ BASE_PATH \(\.env, line 4\) must be a path such as \/console: /m)
      assert.include(
        stdout,
        "✗ LOG_LEVEL (environment) must be one of: trace, debug, info, warn, error, fatal, none.\n"
      )
      assert.match(stdout, /\n4 problems\.\n$/)
    })
  )

  it.live("prints the same as JSON", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* check("GATEWAY_TOKEN=hunter2\nSVC_PASSWORD_HASH_FILE=nowhere\n", {
        args: ["--json"]
      })
      assert.strictEqual(code, exitCodes.settings)
      const { findings, settings } = JSON.parse(stdout)
      assert.deepInclude(settings, { name: "GATEWAY_TOKEN", source: ".env", line: 1 })
      assert.deepInclude(findings, {
        state: "problem",
        detail: "SVC_PASSWORD_HASH_FILE (.env, line 2) names a file that isn't there: check the path."
      })
      assert.notInclude(stdout, "hunter2")
    })
  )

  it.live("says that a console would be open to the network, and that a token is missing", () =>
    Effect.gen(function* () {
      const open = yield* check("HOST=0.0.0.0\nGATEWAY_TOKEN=x\n")
      assert.strictEqual(open.code, exitCodes.settings)
      assert.include(open.stdout, "would let anyone on the network in without a password")
      const bare = yield* check("")
      assert.strictEqual(bare.code, exitCodes.settings)
      assert.include(bare.stdout, "✗ there's no gateway token: ")
      assert.strictEqual(
        (yield* runConsole({ directory: yield* temporaryDirectory, args: ["config", "check", "nowhere"] })).code,
        exitCodes.usage
      )
    })
  )
})

it.live("config schema prints a JSON Schema with the meanings of .env.example", () =>
  Effect.gen(function* () {
    const { code, stdout } = yield* runConsole({ directory: yield* temporaryDirectory, args: ["config", "schema"] })
    assert.strictEqual(code, exitCodes.ok)
    const { $schema, properties } = JSON.parse(stdout)
    assert.strictEqual($schema, "https://json-schema.org/draft/2020-12/schema")
    assert.deepStrictEqual(properties.HSTS.enum, ["subdomains", "host", "off"])
    assert.strictEqual(properties.PORT.default, "3080")
  })
)

it.live("a wrong LOG_LEVEL is refused at the start", () =>
  Effect.gen(function* () {
    const { code, stderr } = yield* runConsole({
      directory: yield* temporaryDirectory,
      args: ["serve", "--demo"],
      variables: { LOG_LEVEL: "verbose" }
    })
    assert.strictEqual(code, exitCodes.settings)
    assert.strictEqual(
      stderr,
      "agent-console: LOG_LEVEL must be one of: trace, debug, info, warn, error, fatal, none\n"
    )
  })
)
