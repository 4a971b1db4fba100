import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { addressOf, printed } from "../support/printed.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

/** An open event stream and an open socket, as a browser tab keeps them. */
const openTab = (url: string) =>
  Effect.promise(async () => {
    const events = await fetch(`${url}/api/events`)
    assert.strictEqual(events.status, 200)
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`)
    await new Promise((resolve, reject) => {
      socket.once("message", resolve)
      socket.once("error", reject)
    })
    socket.on("error", () => undefined)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    const drained = events.text().catch(() => "cut")
    return { closed, drained }
  })

const startDemo = (directory: string) =>
  startConsole({ directory, args: ["serve", "--demo"], variables: { PORT: "0" } })

describe("a running console", () => {
  it.live("prints its address, sign-in and gateway when it starts, and nothing else", () =>
    Effect.gen(function* () {
      const running = yield* startDemo(yield* temporaryDirectory)
      yield* printed(running, /Gateway +built-in/)
      assert.match(
        running.stdout(),
        /Agent Console \S+ \(demo\)\n {2}Open +http:\/\/127\.0\.0\.1:\d+\n {2}Sign-in +off.*\n( {2}Web app .*\n)? {2}Gateway +built-in/
      )
    })
  )

  it.live.each([
    ["SIGTERM", exitCodes.ok],
    ["SIGINT", exitCodes.interrupted],
    ["SIGHUP", exitCodes.hangup],
    ["SIGQUIT", exitCodes.quit]
  ] as const)("%s closes an open event stream and an open socket and ends with its own code", ([signal, code]) =>
    Effect.gen(function* () {
      const running = yield* startDemo(yield* temporaryDirectory)
      const tab = yield* openTab(yield* addressOf(running))
      running.child.kill(signal)
      const ended = yield* Effect.promise(() => running.ended)
      assert.strictEqual(ended.code, code)
      assert.strictEqual(ended.stderr, "")
      yield* Effect.promise(() => Promise.all([tab.closed, tab.drained]))
    })
  )

  it.live("opens no debugger and goes on at SIGUSR1 and SIGUSR2", () =>
    Effect.gen(function* () {
      const running = yield* startDemo(yield* temporaryDirectory)
      const url = yield* addressOf(running)
      running.child.kill("SIGUSR1")
      running.child.kill("SIGUSR2")
      assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/health`))).status, 200)
      running.child.kill("SIGTERM")
      const ended = yield* Effect.promise(() => running.ended)
      assert.strictEqual(ended.code, exitCodes.ok)
      assert.notInclude(ended.stderr, "Debugger")
    })
  )

  it.live("after kill -9 the next start has the same identity and the same sessions", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const variables = {
        PORT: "0",
        GATEWAY_TOKEN: "let-me-in",
        GATEWAY_URL: "http://127.0.0.1:1",
        SVC_AUTH: "true",
        SVC_SESSION_SECRET: "ab".repeat(32)
      }
      const first = yield* startConsole({ directory, variables })
      const firstUrl = yield* addressOf(first)
      const login = yield* Effect.promise(() =>
        fetch(`${firstUrl}/api/auth/login`, { method: "POST", body: JSON.stringify({ password: "let-me-in" }) })
      )
      assert.strictEqual(login.status, 200)
      const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      const identityFile = join(directory, ".agent-console", "device-identity.json")
      const identity = readFileSync(identityFile, "utf8")
      first.child.kill("SIGKILL")
      yield* Effect.promise(() => first.ended)

      const second = yield* startConsole({ directory, variables })
      const secondUrl = yield* addressOf(second)
      const status = yield* Effect.promise(async () =>
        (await fetch(`${secondUrl}/api/auth/status`, { headers: { cookie } })).json()
      )
      assert.deepStrictEqual(status, { authEnabled: true, authenticated: true })
      assert.strictEqual(readFileSync(identityFile, "utf8"), identity)
      assert.strictEqual(statSync(join(directory, ".agent-console")).mode & 0o777, 0o700)
    })
  )
})
