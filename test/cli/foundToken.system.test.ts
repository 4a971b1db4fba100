import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocketServer } from "ws"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const FOUND = "the-found-token"

/** A gateway that asks everyone who they are, and keeps what they answer; `first` is resolved with the first answer. */
const listeningGateway = Effect.acquireRelease(
  Effect.callback<{
    readonly port: number
    readonly heard: Array<string>
    readonly first: Promise<string>
    readonly close: () => void
  }>((resume) => {
    const heard: Array<string> = []
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, heard, first: promise, close: () => server.close() }))
    })
    server.on("connection", (socket, request) => {
      heard.push(JSON.stringify(request.headers))
      socket.on("message", (data) => {
        heard.push(String(data))
        resolve(String(data))
      })
      socket.send(
        JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1_700_000_000_000 } })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** A folder with this `.env`, whose gateway's own file has a token and a port. */
const folderWith = Effect.fnUntraced(function* (env: string, port: number) {
  const directory = yield* temporaryDirectory
  mkdirSync(join(directory, ".openclaw"))
  writeFileSync(
    join(directory, ".openclaw", "openclaw.json"),
    JSON.stringify({ gateway: { port, auth: { token: FOUND } } })
  )
  writeFileSync(join(directory, ".env"), env)
  return directory
})

describe("a token that was found on this machine", () => {
  it.live.each([
    [["doctor"], exitCodes.unwell],
    [["doctor", "."], exitCodes.unwell],
    [["setup", "--yes"], exitCodes.settings],
    [["serve"], exitCodes.settings],
    [[], exitCodes.settings]
  ] as const)("isn't sent to another gateway that .env names: %j", ([args, code]) =>
    Effect.gen(function* () {
      const { heard, port } = yield* listeningGateway
      const env = `GATEWAY_URL=http://127.0.0.1:${port}\nPORT=0\n`
      const directory = yield* folderWith(env, 9)
      // A start that doesn't refuse would go on for ever.
      const ended = yield* startConsole({ directory, args }).pipe(
        Effect.flatMap((running) => Effect.promise(() => running.ended)),
        Effect.timeoutOption("20 seconds"),
        Effect.scoped
      )
      assert.deepStrictEqual(heard.join("\n").includes(FOUND), false, "the listener was sent the token")
      assert.strictEqual(ended._tag === "Some" && ended.value.code, code)
      if (ended._tag === "Some" && args[0] !== "doctor") {
        assert.match(ended.value.stderr, /^agent-console: GATEWAY_URL [^\n]+ set GATEWAY_TOKEN [^\n]+\n$/)
      }
      assert.strictEqual(readFileSync(join(directory, ".env"), "utf8"), env)
    })
  )

  it.live("doctor says why it isn't sent there", () =>
    Effect.gen(function* () {
      const directory = yield* folderWith("GATEWAY_URL=http://gateway.example:18789\n", 9)
      const ended = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.match(ended.stderr, /^agent-console: GATEWAY_URL [^\n]+ set GATEWAY_TOKEN [^\n]+\n$/)
      assert.match(ended.stdout, /^✗ Gateway token /m)
    })
  )

  it.live.each([
    ["", true],
    ["http://127.0.0.1:", true],
    ["http://localhost:", true],
    ["http://[::1]:", true],
    ["http://127.0.0.2:", false]
  ] as const)("is for the gateway at %j, port of its own file: %s", ([address, isSent]) =>
    Effect.gen(function* () {
      const { first, port } = yield* listeningGateway
      const env = address === "" ? "" : `GATEWAY_URL=${address}${port}\n`
      const directory = yield* folderWith(`${env}PORT=0\n`, port)
      const running = yield* startConsole({ directory, args: ["serve"] })
      if (!isSent) {
        assert.strictEqual((yield* Effect.promise(() => running.ended)).code, exitCodes.settings)
        return
      }
      if (address.includes("[")) {
        // Nothing listens there, but the start isn't refused.
        yield* Effect.promise(
          () =>
            new Promise<void>((resolve) =>
              running.child.stdout?.on("data", () => running.stdout().includes("Open ") && resolve())
            )
        )
        return
      }
      assert.include(yield* Effect.promise(() => first), FOUND)
    }).pipe(Effect.scoped)
  )
})
