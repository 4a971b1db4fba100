import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import type { AgentRight } from "../../../src/contract/agentRights.ts"
import { agentOf, asking, initialize } from "../../support/agentInMemory.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { newToken } from "../../support/mcpClient.ts"
import { rest, served, withAgent } from "../../support/servedAgent.ts"

describe("who may use the tools", () => {
  const post = (url: string, headers: Readonly<Record<string, string>>, body: unknown = initialize) =>
    Effect.promise(() => fetch(`${url}/mcp`, asking(body, headers)))

  it.live("only who has a token, which a cookie doesn't replace", () =>
    Effect.gen(function* () {
      const url = yield* served
      for (const headers of [{}, { authorization: "Bearer agc_wrong" }, { cookie: "session=1" }]) {
        const refused = yield* post(url, { ...headers })
        assert.strictEqual(refused.status, 401)
        assert.strictEqual(refused.headers.get("www-authenticate"), 'Bearer realm="Agent Console"')
      }
    })
  )

  it.live("a right that a token lacks is named, and its tools aren't listed", () =>
    Effect.gen(function* () {
      const { client, tools } = yield* withAgent(["read"])
      assert.sameMembers(
        (yield* tools).map(({ name }) => name),
        ["list_tasks", "get_task", "get_budget"]
      )
      const refused = yield* Effect.result(
        Effect.tryPromise(() => client.callTool({ name: "claim_task", arguments: { id: "x", version: 1 } }))
      )
      assert.include(String(Result.isFailure(refused) && refused.failure.cause), "lacks the right to write")
    })
  )

  it.live("a revoked token opens nothing any more, and is gone from the list", () =>
    Effect.gen(function* () {
      const { client, id, url } = yield* withAgent()
      const { body: before } = yield* rest(url, "GET", "/api/mcp/tokens")
      assert.strictEqual(before.tokens[0].name, "coder")
      assert.isNumber(before.tokens[0].lastUsedAt)
      assert.notInclude(JSON.stringify(before), "agc_")
      yield* rest(url, "DELETE", `/api/mcp/tokens/${id}`)
      const refused = yield* Effect.result(Effect.tryPromise(() => client.listTools()))
      assert.include(String(Result.isFailure(refused) && refused.failure.cause), "a valid token is required")
      assert.deepStrictEqual((yield* rest(url, "GET", "/api/mcp/tokens")).body, { tokens: [] })
      assert.strictEqual((yield* rest(url, "DELETE", `/api/mcp/tokens/${id}`)).status, 404)
    })
  )

  /** An app in memory with one agent. */
  const agentInMemory = Effect.fnUntraced(function* (rights: ReadonlyArray<AgentRight>) {
    const app = yield* makeJsonApp()
    return { app, ...(yield* agentOf(app, rights)) }
  })

  it.effect("a call that runs while its token is revoked is still answered, the next one isn't", () =>
    Effect.gen(function* () {
      const { app, token, call, result } = yield* agentInMemory(["ask"])
      const { id } = (yield* result("ask_person", { question: "Still there?" })).structuredContent
      // It runs up to where it reads its body, and so has shown its token, before the next line.
      const waiting = yield* Effect.forkChild(result("get_answer", { id, waitSeconds: 50 }), { startImmediately: true })
      yield* app.send("DELETE", `/api/mcp/tokens/${token.id}`)
      yield* app.send("POST", `/api/inbox/${id}/resolve`, { action: "skip" })
      assert.deepStrictEqual((yield* Fiber.join(waiting)).structuredContent, { state: "skipped" })
      assert.strictEqual((yield* call("get_answer", { id })).status, 401)
    })
  )

  it.effect("a board that can't be read is a sentence to the agent, and the next call works again", () =>
    Effect.gen(function* () {
      const { app, result } = yield* agentInMemory(["read", "write", "ask"])
      const rename = (from: string, to: string) =>
        app.sqlite.transaction((db) => {
          db.run(`ALTER TABLE ${from} RENAME TO ${to}`)
          return Result.void
        })
      yield* rename("tasks", "away")
      for (const [name, args] of [
        ["list_tasks", {}],
        ["create_task", { title: "Now?" }]
      ] as const) {
        const { isError, content } = yield* result(name, args)
        assert.isTrue(isError, name)
        const failure = JSON.parse(content[0].text)
        assert.strictEqual(failure.error, "store_failure", name)
        assert.include(failure.help, "Nothing was changed; try again later.", name)
      }
      assert.isFalse((yield* result("ask_person", { question: "Where is the board?" })).isError)
      yield* rename("away", "tasks")
      assert.strictEqual((yield* result("create_task", { title: "Now" })).structuredContent.task.title, "Now")
    })
  )

  it.live("a token may call 120 times a minute, whatever others do", () =>
    Effect.gen(function* () {
      const url = yield* served
      const { token } = yield* newToken(url, "busy", ["read"])
      const other = yield* newToken(url, "calm", ["read"])
      for (let index = 0; index < 120; index++)
        assert.strictEqual((yield* post(url, { authorization: `Bearer ${token}` })).status, 200)
      const over = yield* post(url, { authorization: `Bearer ${token}` })
      assert.strictEqual(over.status, 429)
      assert.isAbove(Number(over.headers.get("retry-after")), 0)
      assert.strictEqual((yield* post(url, { authorization: `Bearer ${other.token}` })).status, 200)
    })
  )

  it.live("a client that never reads its answers holds up nobody else", () =>
    Effect.gen(function* () {
      const { call, url } = yield* withAgent(["read"])
      const { token } = yield* newToken(url, "deaf", ["read"])
      const body = JSON.stringify(initialize)
      const head = [
        "POST /mcp HTTP/1.1",
        "host: 127.0.0.1",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        `authorization: Bearer ${token}`,
        `content-length: ${body.length}`
      ].join("\r\n")
      const socket = yield* Effect.acquireRelease(
        Effect.callback<Socket>((resume) => {
          const opened = connect(Number(new URL(url).port), "127.0.0.1", () => resume(Effect.succeed(opened)))
        }),
        (opened) => Effect.sync(() => opened.destroy())
      )
      socket.pause()
      socket.write(`${head}\r\n\r\n${body}`.repeat(100))
      for (let index = 0; index < 20; index++) assert.isTrue((yield* call("list_tasks")).ok)
    })
  )

  it.live("10 MB of arguments are refused before they're read", () =>
    Effect.gen(function* () {
      const url = yield* served
      const { token } = yield* newToken(url, "loud", ["write"])
      const large = yield* post(
        url,
        { authorization: `Bearer ${token}` },
        JSON.stringify({
          ...initialize,
          method: "tools/call",
          params: { name: "create_task", arguments: { title: "x".repeat(10_000_000) } }
        })
      )
      assert.strictEqual(large.status, 413)
    })
  )

  it.live("clients of each version of the protocol are answered in it", () =>
    Effect.gen(function* () {
      const url = yield* served
      const { token } = yield* newToken(url, "older", ["read"])
      for (const protocolVersion of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
        const response = yield* post(
          url,
          { authorization: `Bearer ${token}` },
          { ...initialize, params: { ...initialize.params, protocolVersion } }
        )
        const body = yield* Effect.promise(() => response.json())
        assert.strictEqual(Object(body).result.protocolVersion, protocolVersion)
      }
    })
  )

  it.live("names are unique, rights are known ones, and there's a limit", () =>
    Effect.gen(function* () {
      const url = yield* served
      const create = (body: object) => rest(url, "POST", "/api/mcp/tokens", body)
      assert.strictEqual((yield* create({ name: "one", rights: ["read", "read"] })).status, 201)
      assert.strictEqual((yield* create({ name: "one", rights: ["read"] })).status, 409)
      assert.strictEqual((yield* create({ name: "two", rights: ["fly"] })).status, 400)
      assert.strictEqual((yield* create({ name: "two", rights: [] })).status, 400)
      assert.strictEqual((yield* create({ name: " two", rights: ["read"] })).status, 400)
      assert.deepStrictEqual((yield* rest(url, "GET", "/api/mcp/tokens")).body.tokens[0].rights, ["read"])
    })
  )
})
