import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import { makeGatewayApp, makeJsonApp } from "../../support/gatewayApp.ts"
import { unreachableGateway } from "../../support/makeApp.ts"

const ADDRESS = "http://127.0.0.1:3080"
const ADD = { address: ADDRESS, rights: ["read", "ask"] }
const PATH = "/api/mcp/gateway"

const Shown = Schema.Struct({ hash: Schema.String, config: Schema.Struct({ mcp: Schema.optional(Schema.Unknown) }) })
const Anything = Schema.Unknown

type App = Effect.Success<ReturnType<typeof makeGatewayApp>>

/** What the gateway has, and a change that somebody else makes there. */
const others = ({ client }: App) => {
  const shown = client.request("config.get", {}, Shown)
  return {
    servers: Effect.map(shown, ({ config }) => Object(Object(config.mcp).servers)),
    set: (entry: object | null) =>
      Effect.flatMap(shown, ({ hash }) =>
        client.request(
          "config.patch",
          { raw: JSON.stringify({ mcp: { servers: { "agent-console": entry } } }), baseHash: hash },
          Anything
        )
      )
  }
}

describe("the gateway's own agents", () => {
  it.effect("get the board with a token of their own, and lose both again", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const { servers } = others(app)
      assert.deepStrictEqual((yield* app.send("GET", PATH)).body, { state: "off", address: ADDRESS })

      const added = yield* app.send("PUT", PATH, ADD)
      assert.deepStrictEqual(added, { status: 200, body: { state: "on", address: ADDRESS } })
      const { tokens } = (yield* app.send("GET", "/api/mcp/tokens")).body
      assert.strictEqual(tokens.length, 1)
      assert.deepInclude(tokens[0], { name: "gateway", rights: ["read", "ask"] })
      const entry = (yield* servers)["agent-console"]
      assert.include(entry.url, `${ADDRESS}/mcp?console=`)
      assert.include(entry.url, `agent=${tokens[0].id}`)
      assert.notInclude(JSON.stringify(entry), "agc_")
      assert.deepStrictEqual((yield* app.send("GET", PATH)).body, { state: "on", address: ADDRESS })
      const again = yield* app.send("PUT", PATH, ADD)
      assert.deepInclude(again, { status: 409 })
      assert.strictEqual(again.body.error, "already_registered")

      assert.deepStrictEqual((yield* app.send("DELETE", PATH)).body, { state: "off", address: ADDRESS })
      assert.deepStrictEqual(yield* servers, {})
      assert.deepStrictEqual((yield* app.send("GET", "/api/mcp/tokens")).body, { tokens: [] })
      assert.strictEqual((yield* app.send("DELETE", PATH)).status, 200)
    })
  )

  it.effect("what others put there under the same name is neither overwritten nor removed", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const { servers, set } = others(app)
      const theirs = { url: `${ADDRESS}/mcp`, transport: "streamable-http" }
      yield* set(theirs)
      assert.deepStrictEqual((yield* app.send("GET", PATH)).body, { state: "taken" })
      for (const refused of [yield* app.send("PUT", PATH, ADD), yield* app.send("DELETE", PATH)]) {
        assert.strictEqual(refused.status, 409)
        assert.strictEqual(refused.body.error, "server_name_taken")
        assert.include(refused.body.details, "openclaw mcp unset agent-console")
      }
      assert.deepStrictEqual(yield* servers, { "agent-console": theirs })
      assert.deepStrictEqual((yield* app.send("GET", "/api/mcp/tokens")).body, { tokens: [] })
    })
  )

  it.effect("a token that was revoked here is reported, replaced or cleared away, with lists added to the entry", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const { servers, set } = others(app)
      const revoke = Effect.flatMap(app.send("GET", "/api/mcp/tokens"), ({ body }) =>
        app.send("DELETE", `/api/mcp/tokens/${body.tokens[0].id}`)
      )
      yield* app.send("PUT", PATH, ADD)
      yield* revoke
      assert.deepStrictEqual((yield* app.send("GET", PATH)).body, { state: "revoked", address: ADDRESS })
      assert.strictEqual((yield* app.send("PUT", PATH, ADD)).body.state, "on")
      yield* revoke
      yield* set({ toolFilter: { exclude: ["search"] } })
      assert.strictEqual((yield* app.send("DELETE", PATH)).body.state, "off")
      assert.deepStrictEqual(yield* servers, {})
    })
  )

  it.effect("a token of that name that isn't the gateway's stays, and nothing is changed", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      yield* app.send("POST", "/api/mcp/tokens", { name: "gateway", rights: ["read"] })
      const refused = yield* app.send("PUT", PATH, ADD)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.body.details, "revoke it")
      assert.strictEqual((yield* app.send("GET", "/api/mcp/tokens")).body.tokens.length, 1)
      assert.deepStrictEqual(yield* others(app).servers, {})
    })
  )

  it.effect("older gateways can't, and are left alone", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "old" })
      assert.deepStrictEqual((yield* app.send("GET", PATH)).body, { state: "older" })
      for (const refused of [yield* app.send("PUT", PATH, ADD), yield* app.send("DELETE", PATH)])
        assert.strictEqual(refused.body.error, "gateway_too_old")
      assert.deepStrictEqual((yield* app.send("GET", "/api/mcp/tokens")).body, { tokens: [] })
    })
  )

  it.effect("an address is needed that can be called, and at least one right", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      for (const body of [
        {},
        { ...ADD, address: "127.0.0.1:3080" },
        { ...ADD, address: `${ADDRESS}/mcp` },
        { ...ADD, address: "file:///etc" },
        { ...ADD, rights: [] }
      ])
        assert.strictEqual((yield* app.send("PUT", PATH, body)).status, 400, JSON.stringify(body))
    })
  )

  it.effect("a gateway that's away is a sentence, and leaves no token behind", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp({ gateway: unreachableGateway })
      for (const method of ["GET", "PUT", "DELETE"]) {
        const refused = yield* app.send(method, PATH, method === "PUT" ? ADD : undefined)
        assert.strictEqual(refused.status, 502)
        assert.strictEqual(refused.body.error, "gateway_failure")
      }
      assert.deepStrictEqual((yield* app.send("GET", "/api/mcp/tokens")).body, { tokens: [] })
    })
  )

  /** An app whose gateway refuses changes for a reason, at first or always. */
  const appThatRefuses = (app: App, refusals: ReadonlyArray<GatewayError>) => {
    const left = [...refusals]
    const gateway = Layer.succeed(GatewayClient, {
      ...app.client,
      request: (method, ...rest) => {
        const refusal = method === "config.patch" ? left.shift() : undefined
        return refusal === undefined ? app.client.request(method, ...rest) : Effect.fail(refusal)
      }
    })
    return Effect.map(makeJsonApp({ gateway }), (console) => ({ ...console, left }))
  }
  const changed = new GatewayError({ reason: "failed", code: "CONFIG_CHANGED", message: "Somebody else." })

  it.effect("a change that somebody else forestalled is made on what they left", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const stale = yield* Effect.flip(
        app.client.request("config.patch", { raw: "{}", baseHash: "of yesterday" }, Anything)
      )
      assert.strictEqual(stale.code, changed.code)
      const { left, send } = yield* appThatRefuses(app, [changed, changed])
      assert.strictEqual((yield* send("PUT", PATH, ADD)).body.state, "on")
      assert.strictEqual((yield* send("GET", "/api/mcp/tokens")).body.tokens.length, 1)
      assert.strictEqual(left.length, 0)
    })
  )

  it.effect("a change the console isn't allowed to make leaves no token behind", () =>
    Effect.gen(function* () {
      const missing = new GatewayError({ reason: "missing_scope", message: "Approve the console again." })
      const { send } = yield* appThatRefuses(yield* makeGatewayApp({ generation: "new" }), [missing, changed, changed])
      const refused = yield* send("PUT", PATH, ADD)
      assert.deepStrictEqual(refused, {
        status: 502,
        body: { error: "gateway_failure", details: "Approve the console again." }
      })
      assert.deepStrictEqual((yield* send("GET", "/api/mcp/tokens")).body, { tokens: [] })
      assert.strictEqual((yield* send("GET", PATH)).body.state, "off")
    })
  )
})
