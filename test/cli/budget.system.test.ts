import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const prepare = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const variables = {
    GATEWAY_TOKEN: "token",
    GATEWAY_URL: "http://127.0.0.1:1",
    GATEWAY_HOME: join(directory, "gateway"),
    SVC_HOME: join(directory, "home"),
    PORT: "0"
  }
  const command = (...args: ReadonlyArray<string>) => runConsole({ directory, args, variables })
  return { directory, variables, command }
})

describe("agent-console budget, stop and resume", () => {
  it.live("limit and stop the work of the running console, also while sign-in is on", () =>
    Effect.gen(function* () {
      const { command, directory, variables } = yield* prepare
      yield* consoleAddress(yield* startConsole({ directory, variables: { ...variables, SVC_AUTH: "true" } }))
      const empty = yield* command("budget", "list")
      assert.deepStrictEqual([empty.code, empty.stdout, empty.stderr], [exitCodes.ok, "No budgets.\n", ""])
      const added = yield* command("budget", "add", "--agent", "coder", "--usd", "5", "--turns", "9", "--name", "Night")
      assert.deepStrictEqual([added.code, added.stderr], [exitCodes.ok, ""])
      const id =
        /^Added (\S+): \$0\.00 of \$5\.00, 0 of 9 turns\.\n$/.exec(added.stdout)?.[1] ?? assert.fail(added.stdout)
      const twice = yield* command("budget", "add", "--agent", "coder", "--usd", "7")
      assert.deepStrictEqual(
        [twice.code, twice.stderr],
        [exitCodes.budget, "agent-console: the running console couldn't add the budget: budget exists\n"]
      )
      for (const args of [["--usd", "-5"], ["--usd", "x"], [], ["--usd", "5", "--task", "a", "--job", "b"]])
        assert.strictEqual((yield* command("budget", "add", ...args)).code, exitCodes.usage, args.join(" "))
      const stopped = yield* command("stop", "--reason", "over night")
      assert.strictEqual(stopped.code, exitCodes.ok, stopped.stderr)
      assert.match(stopped.stdout, /^Everything is stopped: 0 running sessions now/)
      const listed = yield* command("budget", "list")
      assert.match(
        listed.stdout,
        new RegExp(`^Everything is stopped since .* \\(cli\\): over night\\n${id}  Night  day  \\$0\\.00 of .*  ok\\n$`)
      )
      const json = JSON.parse((yield* command("budget", "list", "--json")).stdout)
      assert.containSubset(json, { budgets: [{ id, name: "Night" }], stop: { by: "cli", reason: "over night" } })
      assert.deepStrictEqual((yield* command("resume")).stdout, "Work goes on.\n")
      assert.strictEqual((yield* command("budget", "remove", id)).stdout, `Removed ${id}.\n`)
      assert.strictEqual((yield* command("budget", "remove", id)).code, exitCodes.budget)
    })
  )

  it.live("exit with 69 and a sentence without a running console", () =>
    Effect.gen(function* () {
      const { command } = yield* prepare
      for (const args of [["stop"], ["resume"], ["budget", "list"], ["budget", "remove", "x"]]) {
        const { code, stderr, stdout } = yield* command(...args)
        assert.deepStrictEqual([code, stdout], [69, ""], args.join(" "))
        assert.match(stderr, /^agent-console: no console is running/)
      }
    })
  )
})
