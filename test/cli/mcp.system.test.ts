import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect, Result } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { agentOf } from "../support/mcpClient.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

/** The official client with the bridge as its server; it finds the console by itself without an address. */
const bridged = Effect.fnUntraced(function* (directory: string, url: string | undefined, token: string) {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", ...(url === undefined ? [] : ["--url", url])],
    cwd: directory,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: directory,
      NODE_OPTIONS: `--import ${DEFINES}`,
      AGENT_CONSOLE_TOKEN: token
    },
    stderr: "ignore"
  })
  yield* Effect.acquireRelease(
    Effect.tryPromise(() => client.connect(transport)),
    () => Effect.promise(() => client.close())
  )
  return agentOf(client)
})

const serve = (directory: string, port: number) =>
  startConsole({ directory, args: ["serve"], variables: { PORT: String(port), GATEWAY_TOKEN: "unused" } })

const createToken = (directory: string, ...more: ReadonlyArray<string>) =>
  runConsole({ directory, args: ["mcp", "token", "--name", "coder", ...more] })

describe("agent-console mcp", () => {
  it.live("passes the tools on, outlives a restart of the console, and says when it's away", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const port = yield* Effect.promise(freePort)
      const first = yield* serve(directory, port)
      const url = yield* consoleAddress(first)
      const made = yield* createToken(directory, "--rights", "read,write,ask")
      assert.strictEqual(made.code, exitCodes.ok, made.stderr)
      const token = made.stdout.split("\n")[0] ?? ""
      assert.match(token, /^agc_[\w-]{43}$/)
      for (const part of [
        "claude mcp add",
        "[mcp_servers.agent-console]",
        "mcpServers",
        "This token isn't shown again"
      ])
        assert.include(made.stdout, part)
      const agent = yield* bridged(directory, url, token)
      assert.include(
        (yield* agent.tools).map(({ name }) => name),
        "claim_task"
      )
      const { id } = (yield* agent.call("create_task", { title: "Over stdio" })).value.task
      const asked = yield* agent.call("ask_person", { question: "Well?" })
      first.child.kill("SIGKILL")
      yield* Effect.promise(() => first.ended)
      const away = yield* Effect.result(Effect.tryPromise(() => agent.client.listTools()))
      assert.include(String(Result.isFailure(away) && away.failure.cause), "Couldn't reach the console at")
      const second = yield* serve(directory, port)
      yield* consoleAddress(second)
      assert.strictEqual((yield* agent.call("get_task", { id })).value.task.createdBy, "agent:coder")
      assert.deepStrictEqual((yield* agent.call("get_answer", { id: asked.value.id })).value, { state: "waiting" })
    })
  )

  it.live("finds the console that is running, also at another port after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* serve(directory, 0)
      const url = yield* consoleAddress(first)
      const made = yield* createToken(directory)
      assert.include(made.stdout, `${url}/mcp`)
      const agent = yield* bridged(directory, undefined, made.stdout.split("\n")[0] ?? "")
      assert.include(
        (yield* agent.tools).map(({ name }) => name),
        "list_tasks"
      )
      first.child.kill("SIGTERM")
      yield* Effect.promise(() => first.ended)
      const away = yield* Effect.result(Effect.tryPromise(() => agent.client.listTools()))
      assert.include(String(Result.isFailure(away) && away.failure.cause), "No console is running")
      const second = yield* serve(directory, 0)
      yield* consoleAddress(second)
      assert.include(
        (yield* agent.tools).map(({ name }) => name),
        "list_tasks"
      )
    })
  )

  it.live("says what is wrong with a token, and which tokens can't be made", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const running = yield* serve(directory, yield* Effect.promise(freePort))
      const url = yield* consoleAddress(running)
      const refused = yield* Effect.result(bridged(directory, url, "agc_wrong"))
      assert.include(String(Result.isFailure(refused) && refused.failure.cause), "doesn't accept this token")
      const without = yield* runConsole({ directory, args: ["mcp"] })
      assert.strictEqual(without.code, exitCodes.settings)
      assert.include(without.stderr, "set AGENT_CONSOLE_TOKEN to a token")
      assert.strictEqual((yield* createToken(directory)).code, exitCodes.ok)
      const again = yield* createToken(directory)
      assert.strictEqual(again.code, exitCodes.board)
      assert.include(again.stderr, "another token has this name")
      const wrong = yield* createToken(directory, "--rights", "fly")
      assert.strictEqual(wrong.code, exitCodes.usage)
      assert.include(wrong.stderr, "must be one of: read, propose, write, ask, search")
    })
  )
})
