import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { doctorTable } from "../../src/cli/doctorTable.ts"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { addressOf, printed } from "../support/printed.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

describe("agent-console doctor", () => {
  it.live("says what is wrong and what to do, and ends with a code of its own", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const variables = { GATEWAY_TOKEN: "the-secret-token", GATEWAY_URL: "http://127.0.0.1:1", PORT: "0" }
      const ended = yield* runConsole({ directory, args: ["doctor"], variables })
      assert.strictEqual(ended.code, exitCodes.unwell, ended.stderr)
      assert.match(ended.stdout, /^✓ Node /m)
      assert.match(ended.stdout, /^✗ Gateway +No gateway is listening at http:\/\/127\.0\.0\.1:1/m)
      assert.match(ended.stdout, /\d problems?, \d warnings?\.\n$/)
      assert.strictEqual(ended.stderr, "")
      for (const secret of ["the-secret-token", directory, "\u001b"]) assert.notInclude(ended.stdout, secret)
    })
  )

  it.live("prints the same as JSON", () =>
    Effect.gen(function* () {
      const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["doctor", "--json"] })
      const told: { readonly checks: ReadonlyArray<{ readonly id: string }> } = JSON.parse(ended.stdout)
      assert.includeMembers(
        told.checks.map(({ id }) => id),
        ["node", "gateway", "token", "device", "ffmpeg", "speech-model", "port", "certificate", "home"]
      )
    })
  )

  it.live("looks at a folder that is named, and says so when there is none", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const folder = join(directory, "console")
      mkdirSync(folder)
      writeFileSync(join(folder, ".env"), "GATEWAY_URL=http://127.0.0.1:1\nGATEWAY_TOKEN=the-secret-token\nPORT=0\n")
      const ended = yield* runConsole({ directory, args: ["doctor", "console"] })
      assert.match(ended.stdout, /^✓ Gateway token /m)
      assert.match(ended.stdout, /^✗ Gateway +No gateway is listening at http:\/\/127\.0\.0\.1:1/m)
      assert.strictEqual(ended.stderr, "")
      const nowhere = yield* runConsole({ directory, args: ["doctor", "nowhere"] })
      assert.strictEqual(nowhere.code, exitCodes.usage)
      assert.strictEqual(nowhere.stderr, "agent-console: there's no folder nowhere\n")
    })
  )

  it.live("asks the console that is running, which sees what the command doesn't", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const bin = join(directory, "bin")
      mkdirSync(bin)
      writeFileSync(join(bin, "openclaw"), "#!/bin/sh\necho 2026.9.6\n", { mode: 0o755 })
      mkdirSync(join(directory, ".openclaw"))
      writeFileSync(join(directory, ".env"), "PORT=0\nGATEWAY_URL=http://127.0.0.1:1\nGATEWAY_TOKEN=x\nSVC_AUHT=true\n")
      const running = yield* startConsole({
        directory,
        variables: { PATH: `${bin}:${process.env.PATH}`, SVC_AUTH: "true" }
      })
      yield* printed(
        running,
        /WARN .*SVC_AUHT \(\.env, line 4\) isn't a setting of the console\. Did you mean SVC_AUTH\?/
      )
      const url = yield* addressOf(running)
      const ended = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.strictEqual(ended.code, exitCodes.unwell, ended.stderr)
      assert.match(ended.stdout, new RegExp(`^The running console \\(process ${running.child.pid}\\) says:\n`))
      assert.match(ended.stdout, /^✓ openclaw +Version 2026\.9\.6\.$/m)
      assert.match(ended.stdout, /^! Settings +SVC_AUHT \(\.env, line 4\) isn't a setting of the console\.$/m)
      // The page shows the same.
      assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/api/doctor`))).status, 401)

      writeFileSync(join(directory, ".env"), "PORT=0\nGATEWAY_URL=http://127.0.0.1:1\nGATEWAY_TOKEN=y\n")
      const later = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.match(later.stdout, /^! Settings +GATEWAY_TOKEN has changed since the console started\.$/m)
      running.child.kill("SIGTERM")
      yield* Effect.promise(() => running.ended)
      const alone = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.match(alone.stdout, /^✓ Node /)
      assert.match(alone.stdout, /^! openclaw +Couldn't run it/m)
      assert.match(alone.stdout, /^✓ Settings /m)
    })
  )

  it.live("answers in a terminal what the page shows", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, ".env"), "PORT=0\nGATEWAY_URL=http://127.0.0.1:1\nGATEWAY_TOKEN=x\n")
      const bin = join(directory, "bin")
      mkdirSync(bin)
      writeFileSync(join(bin, "openclaw"), "#!/bin/sh\necho 2026.9.6\n", { mode: 0o755 })
      const variables = { PATH: `${bin}:${process.env.PATH}` }
      const url = yield* addressOf(yield* startConsole({ directory, variables }))
      const page: unknown = yield* Effect.promise(() => fetch(`${url}/api/doctor`).then((answer) => answer.json()))
      const terminal = yield* runConsole({ directory, args: ["doctor", ".", "--json"] })
      assert.deepStrictEqual(JSON.parse(terminal.stdout), page)
    })
  )

  it.live("a setting that cannot be used is said before anything is looked at", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["doctor"], variables: { PORT: "many" } })
      assert.strictEqual(ended.code, exitCodes.settings)
      assert.match(ended.stderr, /^agent-console: PORT [^\n]+\n$/)
    })
  )
})

describe("the table", () => {
  it("says in a word when all is well", () => {
    const table = doctorTable([{ id: "node", title: "Node", state: "ok", detail: "Version 24." }], false)
    assert.strictEqual(table, "✓ Node  Version 24.\n\nEverything looks good.")
  })

  it("puts what to do below what was found", () => {
    const table = doctorTable(
      [
        { id: "node", title: "Node", state: "problem", detail: "Too old.", fix: "Install it." },
        { id: "port", title: "Port", state: "warning", detail: "Odd.", fix: "Look." }
      ],
      false
    )
    assert.strictEqual(
      table,
      "✗ Node  Too old.\n        → Install it.\n! Port  Odd.\n        → Look.\n\n1 problem, 1 warning."
    )
  })
})
