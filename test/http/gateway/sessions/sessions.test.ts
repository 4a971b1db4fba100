import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

describe("what a person does with a whole session", () => {
  for (const generation of ["old", "new"] as const) {
    it.live(`deletes and compacts it, but no main session (${generation} generation)`, () =>
      Effect.gen(function* () {
        const { send } = yield* makeGatewayApp({ generation })
        const remove = (key: string) => send("DELETE", `/api/sessions?sessionKey=${encodeURIComponent(key)}`)
        const answer = yield* remove("agent:main:dashboard:mine")
        assert.deepStrictEqual(answer, { status: 200, body: { ok: true } })
        for (const key of ["agent:main:main", "main", "agent:writer:main"]) {
          const { body, status } = yield* remove(key)
          assert.strictEqual(status, 409)
          assert.deepInclude(body, { error: "main_session", why: { code: "MAIN_SESSION_STAYS" } })
        }
        const compacted = yield* send("POST", "/api/sessions/compact", { sessionKey: "agent:main:main" })
        assert.strictEqual(compacted.status, 200)
        assert.strictEqual(compacted.body.ok, true)
        assert.isBoolean(compacted.body.compacted)
      })
    )
  }

  it.live("is refused for a gateway that isn't there, without a key, and while the gateway is away", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const gone = yield* send("DELETE", "/api/sessions?sessionKey=%40gone%3Aagent%3Amain%3Ax")
      assert.deepStrictEqual([gone.status, gone.body.error], [404, "unknown_gateway"])
      assert.strictEqual((yield* send("DELETE", "/api/sessions")).status, 400)
      assert.strictEqual((yield* send("POST", "/api/sessions/compact", {})).status, 400)
      const away = yield* send("POST", "/api/sessions/compact", { sessionKey: "agent:main:x" })
      assert.deepStrictEqual([away.status, away.body.error], [502, "gateway_failure"])
    })
  )
})

describe("a gateway", () => {
  it.live("is tried again and measured when asked", () =>
    Effect.gen(function* () {
      const { send } = yield* makeGatewayApp({ generation: "new" })
      assert.deepStrictEqual(yield* send("POST", "/api/gateways/primary/retry"), { status: 200, body: { ok: true } })
      const probe = yield* send("POST", "/api/gateways/primary/probe")
      assert.strictEqual(probe.status, 200)
      assert.hasAllKeys(probe.body, ["ms"])
      assert.isNumber(probe.body.ms)
      for (const what of ["retry", "probe"]) {
        const gone = yield* send("POST", `/api/gateways/gone/${what}`)
        assert.deepStrictEqual([gone.status, gone.body.error], [404, "unknown_gateway"])
      }
      const away = yield* makeJsonApp()
      assert.strictEqual((yield* away.send("POST", "/api/gateways/primary/probe")).status, 502)
    })
  )
})
