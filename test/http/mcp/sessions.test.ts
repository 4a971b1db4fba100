import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { asking, initialize } from "../../support/agentInMemory.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { newToken } from "../../support/mcpClient.ts"
import { rest, served } from "../../support/servedAgent.ts"

const SESSION = "mcp-session-id"
const KIB = 1024
const ping = { jsonrpc: "2.0", id: 7, method: "ping" }

/** An app in memory, and agents of it. */
const inMemory = Effect.gen(function* () {
  const app = yield* makeJsonApp()
  const agent = Effect.fnUntraced(function* (name: string) {
    const { body: token } = yield* app.send("POST", "/api/mcp/tokens", { name, rights: ["read", "ask"] })
    const authorization = `Bearer ${token.token}`
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      app.request("/mcp", asking(body, { authorization, ...headers }))
    const open = Effect.map(post(initialize), (response) => response.headers.get(SESSION) ?? "")
    const statusIn = (session: string) => Effect.map(post(ping, { [SESSION]: session }), ({ status }) => status)
    const close = (session: string) =>
      Effect.map(
        app.request("/mcp", { method: "DELETE", headers: { authorization, [SESSION]: session } }),
        ({ status }) => status
      )
    const call = (session: string, name: string, args: object) =>
      Effect.flatMap(
        post({ ...ping, method: "tools/call", params: { name, arguments: args } }, { [SESSION]: session }),
        (response) => Effect.map(app.json(response), (body) => Object(body).result.structuredContent)
      )
    return { id: token.id, authorization, post, open, statusIn, close, call }
  })
  const revoke = (id: string) => app.send("DELETE", `/api/mcp/tokens/${id}`)
  return { app, agent, revoke }
})

describe("agents' sessions", () => {
  it.effect("what opens one has at most 16 KB, spaces and unknown fields included", () =>
    Effect.gen(function* () {
      const { app, agent } = yield* inMemory
      const { post } = yield* agent("coder")
      const text = JSON.stringify(initialize)
      const room = 16 * KIB - text.length
      const withField = (bytes: number) => text.replace('"clientInfo"', `"x":"${"x".repeat(bytes)}","clientInfo"`)
      const withMeta = { ...initialize, params: { ...initialize.params, _meta: { x: "x".repeat(16 * KIB) } } }
      for (const large of [
        `${text}${" ".repeat(room + 1)}`,
        `${" ".repeat(room + 1)}${text}`,
        text.replace("{", `{${"\n".repeat(room + 1)}`),
        withField(16 * KIB),
        text.replace('"initialize"', `"${"\\u0069"}nitialize"`).replace("{", `{${" ".repeat(16 * KIB)}`),
        JSON.stringify(withMeta),
        JSON.stringify([withMeta]),
        JSON.stringify({ ...initialize, id: "é".repeat(9 * KIB) })
      ]) {
        const refused = yield* post(large)
        assert.strictEqual(refused.status, 413, large.slice(0, 60))
        assert.deepStrictEqual(yield* app.json(refused), { error: "Request body too large" })
        assert.isNull(refused.headers.get(SESSION))
      }
      assert.strictEqual((yield* post(`${text}${" ".repeat(room)}`)).status, 200)
      const session = (yield* post(initialize)).headers.get(SESSION) ?? ""
      const other = { ...ping, params: { _meta: { x: "x".repeat(20 * KIB) } } }
      assert.strictEqual((yield* post(other, { [SESSION]: session })).status, 200)
    })
  )

  it.effect("what refuses one says what to do, as an error of the protocol", () =>
    Effect.gen(function* () {
      const { app, agent } = yield* inMemory
      const { post, open, authorization } = yield* agent("coder")
      const refused = Effect.fnUntraced(function* (response: Response, status: number, id: unknown) {
        assert.strictEqual(response.status, status)
        const body = Object(yield* app.json(response))
        assert.deepInclude(body, { jsonrpc: "2.0", id })
        assert.match(body.error.message, /initialize|one message at a time/)
      })
      const gone = "11111111-2222-4333-8444-555555555555"
      yield* refused(yield* post(ping, { [SESSION]: gone }), 404, 7)
      yield* refused(yield* post([ping], { [SESSION]: gone }), 404, null)
      for (const method of ["GET", "DELETE"]) {
        const headers = { authorization, accept: "text/event-stream", [SESSION]: gone }
        yield* refused(yield* app.request("/mcp", { method, headers }), 404, null)
      }
      const session = yield* open
      const version = { "mcp-protocol-version": "2025-11-25" }
      yield* refused(yield* post([ping, ping], { [SESSION]: session, ...version }), 400, null)
      yield* refused(yield* app.request("/mcp", { method: "DELETE", headers: { authorization } }), 400, null)
    })
  )

  it.effect("a token has twenty, and one more ends the longest unused", () =>
    Effect.gen(function* () {
      const { agent } = yield* inMemory
      const { open, statusIn } = yield* agent("coder")
      const first = yield* open
      yield* TestClock.adjust("1 second")
      const second = yield* open
      for (let index = 2; index < 20; index++) yield* open
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* statusIn(first), 200)
      yield* open
      assert.strictEqual(yield* statusIn(second), 404)
      assert.strictEqual(yield* statusIn(first), 200)
    })
  )

  it.effect("one that nobody has used for an hour is gone, and a use counts", () =>
    Effect.gen(function* () {
      const { agent } = yield* inMemory
      const { open, statusIn, close } = yield* agent("coder")
      const idle = yield* open
      const used = yield* open
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* statusIn(used), 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusIn(idle), 404)
      assert.strictEqual(yield* close(idle), 404)
      assert.strictEqual(yield* statusIn(used), 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* statusIn(used), 404)
    })
  )

  it.effect("one with a waiting call is in use, also when more are opened", () =>
    Effect.gen(function* () {
      const { app, agent } = yield* inMemory
      const { open, statusIn, call } = yield* agent("coder")
      const session = yield* open
      const { id } = yield* call(session, "ask_person", { question: "Still there?" })
      const waiting = yield* Effect.forkChild(call(session, "get_answer", { id, waitSeconds: 50 }), {
        startImmediately: true
      })
      yield* TestClock.adjust("10 seconds")
      for (let index = 0; index < 25; index++) yield* open
      assert.strictEqual(yield* statusIn(session), 200)
      yield* app.send("POST", `/api/inbox/${id}/resolve`, { action: "skip" })
      assert.deepStrictEqual(yield* Fiber.join(waiting), { state: "skipped" })
    })
  )

  it.effect("only the token that opened one can use and end it", () =>
    Effect.gen(function* () {
      const { agent } = yield* inMemory
      const mine = yield* agent("mine")
      const other = yield* agent("other")
      const session = yield* mine.open
      assert.strictEqual(yield* other.statusIn(session), 404)
      assert.strictEqual(yield* other.close(session), 404)
      assert.strictEqual(yield* mine.statusIn(session), 200)
      assert.strictEqual(yield* mine.close(session), 204)
      assert.strictEqual(yield* mine.statusIn(session), 404)
      assert.strictEqual(yield* mine.close(session), 404)
    })
  )

  it.effect("it ends with its token", () =>
    Effect.gen(function* () {
      const { agent, revoke } = yield* inMemory
      const mine = yield* agent("mine")
      const session = yield* mine.open
      yield* revoke(mine.id)
      assert.strictEqual(yield* mine.statusIn(session), 401)
      assert.strictEqual(yield* (yield* agent("mine")).statusIn(session), 404)
    })
  )

  it.live("a stream that is open ends with its token, and the twenty-first ends the oldest", () =>
    Effect.gen(function* () {
      const url = yield* served
      const { token, id } = yield* newToken(url, "listener", ["read"])
      const version = "2026-07-28"
      const listen = (index: number) =>
        Effect.promise(() =>
          fetch(
            `${url}/mcp`,
            asking(
              {
                jsonrpc: "2.0",
                id: index,
                method: "subscriptions/listen",
                params: {
                  notifications: { toolsListChanged: true },
                  _meta: {
                    "io.modelcontextprotocol/protocolVersion": version,
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" }
                  }
                }
              },
              {
                authorization: `Bearer ${token}`,
                "mcp-protocol-version": version,
                "mcp-method": "subscriptions/listen"
              }
            )
          )
        )
      const first = yield* listen(0)
      assert.strictEqual(first.status, 200)
      assert.include(first.headers.get("content-type") ?? "", "text/event-stream")
      const others = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) => listen(index + 1))
      yield* Effect.promise(() => first.text())
      yield* rest(url, "DELETE", `/api/mcp/tokens/${id}`)
      yield* Effect.forEach(others, (response) => Effect.promise(() => response.text()), { concurrency: "unbounded" })
    })
  )
})
