import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { asking, initialize } from "../../support/agentInMemory.ts"
import { consoleAddress } from "../../support/consoleAddress.ts"
import { newToken } from "../../support/mcpClient.ts"
import { startConsole, temporaryDirectory } from "../../support/runConsole.ts"

it.live("a console that stops sends an agent with a waiting call what to do", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const running = yield* startConsole({
      directory,
      variables: {
        GATEWAY_TOKEN: "token",
        GATEWAY_URL: "http://127.0.0.1:1",
        GATEWAY_HOME: join(directory, "gateway"),
        SVC_HOME: join(directory, "home"),
        PORT: "0"
      }
    })
    const url = yield* consoleAddress(running)
    const { token } = yield* newToken(url, "coder", ["ask"])
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      Effect.promise(() => fetch(`${url}/mcp`, asking(body, { authorization: `Bearer ${token}`, ...headers })))
    const session = (yield* post(initialize)).headers.get("mcp-session-id") ?? ""
    const call = (id: number, name: string, args: object) =>
      post(
        { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } },
        { "mcp-session-id": session }
      )
    const question = yield* call(1, "ask_person", { question: "Which?" })
    const asked = Object(yield* Effect.promise(() => question.json()))
    const waiting = yield* Effect.forkChild(
      call(2, "get_answer", { id: asked.result.structuredContent.id, waitSeconds: 50 }),
      {
        startImmediately: true
      }
    )
    // The call has arrived when another one that was sent later is answered.
    yield* call(3, "get_answer", { id: asked.result.structuredContent.id, waitSeconds: 0 })
    running.child.kill("SIGTERM")
    const response = yield* Fiber.join(waiting)
    assert.strictEqual(response.status, 503)
    const body = Object(yield* Effect.promise(() => response.json()))
    assert.deepInclude(body, { jsonrpc: "2.0", id: 2 })
    assert.include(body.error.message, "start a new session")
  }).pipe(Effect.scoped)
)
