import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { recorder } from "../support/hostileFolder.ts"
import { type Ended, runConsole, temporaryDirectory } from "../support/runConsole.ts"

const SECRET = "the-secret-of-this-start"
const TOKEN = "agc_the-agents-token"
const CALL = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

/** A console's folder with an access file for this address. */
const folderFor = Effect.fnUntraced(function* (address: string, more: object = {}) {
  const directory = yield* temporaryDirectory
  const home = join(directory, "home")
  mkdirSync(home, { mode: 0o700 })
  const file = join(home, "local-access.json")
  writeFileSync(file, JSON.stringify({ address, secret: SECRET, ...more }), { mode: 0o600 })
  return { directory, home, file }
})

const run = (directory: string, args: ReadonlyArray<string>, input = "") =>
  runConsole({ directory, args, input, variables: { SVC_HOME: join(directory, "home"), AGENT_CONSOLE_TOKEN: TOKEN } })

const assertRefused = (ended: Ended, code: number, part: string) => {
  assert.strictEqual(ended.code, code, ended.stderr)
  assert.match(ended.stderr, /^agent-console: local-access\.json in the console's folder [^\n]+\n$/)
  assert.include(ended.stderr, part)
}

/** Every command that would use the file refuses it, with this in its sentence. */
const assertNobodyBelieves = Effect.fnUntraced(function* (directory: string, part: string) {
  assertRefused(yield* run(directory, ["search", "pump"]), exitCodes.search, part)
  assertRefused(yield* run(directory, ["gateway", "list"]), exitCodes.gateway, part)
  assertRefused(yield* run(directory, ["mcp", "token", "--name", "coder"]), exitCodes.board, part)
  const bridge = yield* run(directory, ["mcp"], CALL)
  assertRefused(bridge, exitCodes.noConsole, part)
  assert.include(JSON.parse(bridge.stdout).error.message, part)
})

describe("an access file isn't believed", () => {
  it.live("that is a symbolic link, also to a good one", () =>
    Effect.gen(function* () {
      const { heard, port } = yield* recorder
      const { directory, file } = yield* folderFor(`http://127.0.0.1:${port}`)
      renameSync(file, join(directory, "good.json"))
      symlinkSync(join(directory, "good.json"), file)
      yield* assertNobodyBelieves(directory, "is a symbolic link")
      assert.deepStrictEqual(heard, [])
    })
  )

  it.live("that others can read", () =>
    Effect.gen(function* () {
      const { heard, port } = yield* recorder
      const { directory, file } = yield* folderFor(`http://127.0.0.1:${port}`)
      chmodSync(file, 0o644)
      yield* assertNobodyBelieves(directory, "isn't readable and writable by its user alone")
      assert.deepStrictEqual(heard, [])
    })
  )

  it.live.each(["http://192.0.2.1:%", "http://localhost:%"])("that names %j", (address) =>
    Effect.gen(function* () {
      const { heard, port } = yield* recorder
      const { directory } = yield* folderFor(address.replace("%", String(port)))
      yield* assertNobodyBelieves(directory, "isn't on this machine's loopback")
      assert.deepStrictEqual(heard, [])
    })
  )

  it.live("of a console that has ended, even if another program has its port", () =>
    Effect.gen(function* () {
      const { heard, port } = yield* recorder
      const pid = spawnSync(process.execPath, ["--version"]).pid
      const { directory } = yield* folderFor(`http://127.0.0.1:${port}`, { pid })
      for (const args of [["search", "pump"], ["gateway", "list"], ["mcp"]]) {
        assert.strictEqual((yield* run(directory, args, CALL)).code, exitCodes.noConsole)
      }
      assert.deepStrictEqual(heard, [])
    })
  )

  it.live("any further than to its own address: redirects get neither the secret nor the token", () =>
    Effect.gen(function* () {
      const { heard, port } = yield* recorder
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const made = createServer((_request, response) =>
            response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
          ).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) => Effect.sync(() => made.close())
      )
      const address = server.address()
      assert(typeof address === "object" && address !== null)
      const { directory } = yield* folderFor(`http://127.0.0.1:${address.port}`)
      assert.strictEqual((yield* run(directory, ["search", "pump"])).code, exitCodes.search)
      assert.strictEqual((yield* run(directory, ["gateway", "add", "http://x:1"], "t")).code, exitCodes.gateway)
      const bridge = yield* run(directory, ["mcp"], CALL)
      assert.include(bridge.stdout, "answers with a redirect")
      assert.deepStrictEqual(heard, [])
    })
  )
})
