import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { hostileFolder, listing, recorder } from "../support/hostileFolder.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

const NOT_RUN = [exitCodes.noConsole]

/** Every command that doesn't run a console in the folder, and its exit code without a running console. */
const COMMANDS: ReadonlyArray<readonly [args: ReadonlyArray<string>, codes: ReadonlyArray<number>, input?: string]> = [
  [["search", "pump"], NOT_RUN],
  [["search", "--json", "pump"], NOT_RUN],
  [["gateway", "list"], NOT_RUN],
  [["gateway", "add", "http://127.0.0.1:9", "--name", "Nine"], NOT_RUN, "the-gateway-token\n"],
  [["gateway", "remove", "nine"], NOT_RUN],
  [["mcp"], NOT_RUN, `${INITIALIZE}\n`],
  [["mcp", "token", "--name", "coder"], [exitCodes.ok]],
  [["export"], [exitCodes.ok]],
  [["import"], [exitCodes.board], "{}"],
  [["board", "move", "--to", "sqlite"], [exitCodes.board]],
  [["doctor"], [exitCodes.unwell]],
  [["doctor", "--json"], [exitCodes.unwell]],
  [
    ["service", "status"],
    [exitCodes.ok, exitCodes.service]
  ],
  [["hash-password"], [exitCodes.ok], "my-password"],
  [["completions", "bash"], [exitCodes.ok]],
  [["--help"], [exitCodes.ok]],
  [["--version"], [exitCodes.ok]]
]

const found = (home: string, port: number) => {
  mkdirSync(join(home, ".openclaw"), { mode: 0o700 })
  writeFileSync(
    join(home, ".openclaw", "openclaw.json"),
    JSON.stringify({ gateway: { port, auth: { token: "the-found-token" } } })
  )
}

describe("a folder that somebody else wrote", () => {
  it.live.each(COMMANDS)(
    "%j reaches nothing that its .env names, and leaves it as it was",
    ([args, codes, input = ""]) =>
      Effect.gen(function* () {
        const home = yield* temporaryDirectory
        const { heard, port } = yield* recorder
        found(home, 9)
        const directory = yield* hostileFolder(port)
        const before = listing(directory)
        const variables = { HOME: home, AGENT_CONSOLE_TOKEN: "agc_the-agents-token" }
        const ended = yield* runConsole({ directory, args, variables, input })
        assert.include(codes, ended.code ?? -1, `${ended.stdout}${ended.stderr}`)
        assert.deepStrictEqual(heard, [])
        assert.deepStrictEqual(listing(directory), before)
      })
  )

  it.live("doesn't hide the console that is running", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const { heard, port } = yield* recorder
      const directory = yield* hostileFolder(port)
      const before = listing(directory)
      const running = yield* startConsole({
        directory: home,
        variables: { GATEWAY_TOKEN: "token", GATEWAY_URL: "http://127.0.0.1:1", PORT: "0", SVC_AUTH: "true" }
      })
      const url = yield* consoleAddress(running)
      const run = (args: ReadonlyArray<string>, input = "", more: Readonly<Record<string, string>> = {}) =>
        runConsole({ directory, args, input, variables: { HOME: home, ...more } })

      const searched = yield* run(["search", "nothing-like-this"])
      assert.strictEqual(searched.code, exitCodes.nothingFound, searched.stderr)
      const listed = yield* run(["gateway", "list"])
      assert.strictEqual(listed.code, exitCodes.ok, listed.stderr)
      assert.match(listed.stdout, /^primary /)

      const made = yield* run(["mcp", "token", "--name", "coder"])
      assert.strictEqual(made.code, exitCodes.ok, made.stderr)
      assert.include(made.stdout, `${url}/mcp`)
      assert.notInclude(made.stdout, String(port))
      const token = made.stdout.split("\n")[0] ?? ""
      const bridged = yield* run(["mcp"], `${INITIALIZE}\n`, { AGENT_CONSOLE_TOKEN: token })
      assert.strictEqual(bridged.code, exitCodes.ok, bridged.stderr)
      assert.nestedPropertyVal(JSON.parse(bridged.stdout), "result.serverInfo.name", "agent-console")

      const elsewhere = yield* run(["mcp", "--url", `http://127.0.0.1:${port}`], `${INITIALIZE}\n`, {
        AGENT_CONSOLE_TOKEN: token
      })
      assert.strictEqual(elsewhere.code, exitCodes.ok)
      assert.strictEqual(heard.length, 1)
      assert.include(heard[0], token)
      assert.deepStrictEqual(listing(directory), before)
    })
  )

  it.live("its .env isn't where the board is", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const { heard, port } = yield* recorder
      const directory = yield* hostileFolder(port)
      const exported = join(home, "board.json")
      const run = (...args: ReadonlyArray<string>) => runConsole({ directory, args, variables: { HOME: home } })
      assert.strictEqual((yield* run("export", exported)).code, exitCodes.ok)
      const before = listing(directory)
      const imported = yield* run("import", "--replace", exported)
      assert.strictEqual(imported.code, exitCodes.ok, imported.stderr)
      assert.include(imported.stderr, ".env in this folder isn't read by this command")
      assert.deepStrictEqual(listing(directory), before)
      assert.deepStrictEqual(heard, [])
    })
  )
})
