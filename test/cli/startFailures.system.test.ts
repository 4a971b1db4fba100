import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { type Ended, runConsole, temporaryDirectory } from "../support/runConsole.ts"

const TOKEN = { GATEWAY_TOKEN: "the-secret-token" }

const assertOneSentence = (ended: Ended, code: number, ...parts: ReadonlyArray<string>) => {
  assert.strictEqual(ended.code, code, ended.stderr)
  assert.match(ended.stderr, /^agent-console: [^\n]+\n$/)
  assert.notMatch(ended.stderr, /\bat .*:\d+/)
  assert.notInclude(ended.stderr, "the-secret-token")
  assert.notInclude(ended.stdout, "Open ")
  for (const part of parts) assert.include(ended.stderr, part)
}

const listenOnFreePort = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(
        Effect.succeed({
          port: typeof address === "object" && address !== null ? address.port : 0,
          close: () => server.close()
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("a start that cannot succeed ends with one sentence and its exit code", () => {
  it.live.each([
    [{ PORT: "many" }, exitCodes.settings, "PORT must be a whole number from 0 to 65535"],
    [{ SVC_PASSWORD_HASH: "12:34" }, exitCodes.settings, "SVC_PASSWORD_HASH isn't a valid hash"],
    [{ HOST: "0.0.0.0" }, exitCodes.settings, "SVC_ALLOW_INSECURE"],
    [{ GATEWAY_TOKEN: "" }, exitCodes.settings, "GATEWAY_TOKEN"],
    [{ GATEWAY_TOKEN_FILE: "token" }, exitCodes.settings, "GATEWAY_TOKEN and GATEWAY_TOKEN_FILE are both set"],
    [{ GATEWAY_TOKEN: "", GATEWAY_TOKEN_FILE: "." }, exitCodes.settings, "GATEWAY_TOKEN_FILE names a folder"],
    [{ HOST: "203.0.113.7", PORT: "0" }, exitCodes.listen, "HOST 203.0.113.7 isn't an address of this machine"]
  ] as const)("%j", ([variables, code, part]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      assertOneSentence(yield* runConsole({ directory, variables: { ...TOKEN, ...variables } }), code, part)
    })
  )

  it.live("a port that another program has", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { port } = yield* listenOnFreePort
      const ended = yield* runConsole({ directory, variables: { ...TOKEN, PORT: String(port) } })
      assertOneSentence(ended, exitCodes.listen, `port ${port} on 127.0.0.1 is already in use`, "PORT")
    })
  )

  it.live("a file in the place of the service's directory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "file"), "")
      const ended = yield* runConsole({ directory, variables: { ...TOKEN, SVC_HOME: "~/file/home" } })
      assertOneSentence(ended, exitCodes.home, "SVC_HOME", "~/file/home")
    })
  )

  it.live("a device identity that can be neither read nor saved", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, "home", "device-identity.json"), { recursive: true })
      const ended = yield* runConsole({ directory, variables: { ...TOKEN, SVC_HOME: "~/home" } })
      assertOneSentence(ended, exitCodes.home, "device-identity.json", "SVC_HOME")
    })
  )

  it.live("a .env that is not a file", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, ".env"))
      assertOneSentence(yield* runConsole({ directory, variables: TOKEN }), exitCodes.settings, ".env")
    })
  )

  it.live("a bad value in .env is named like any other", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, ".env"), `GATEWAY_TOKEN=the-secret-token\nPORT="ninety"\n`)
      assertOneSentence(yield* runConsole({ directory }), exitCodes.settings, "PORT")
    })
  )

  it.live("a practice run with sign-in and no password", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["--demo"], variables: { SVC_AUTH: "true" } })
      assertOneSentence(ended, exitCodes.settings, "SVC_PASSWORD_HASH")
    })
  )
})

describe("the command line", () => {
  it.live("--help succeeds and shows every command with examples", () =>
    Effect.gen(function* () {
      const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["--help"] })
      assert.strictEqual(ended.code, exitCodes.ok)
      for (const part of ["serve", "hash-password", "--demo", "EXAMPLES"]) assert.include(ended.stdout, part)
    })
  )

  it.live("an unknown command or flag is a usage error", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const args of [["nonsense"], ["--nonsense"], ["serve", "--port", "1"]]) {
        const ended = yield* runConsole({ directory, args })
        assert.strictEqual(ended.code, exitCodes.usage)
        assert.include(ended.stderr, "ERROR")
      }
    })
  )
})
