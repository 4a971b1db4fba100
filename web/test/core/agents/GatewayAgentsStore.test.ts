import { assert, describe, it } from "@effect/vitest"
import { createGatewayAgentsStore } from "../../../src/core/agents/GatewayAgentsStore.ts"
import { createApiClient } from "../../../src/core/link/ApiClient.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

/** A store in front of a server that gives these answers, one after the other. */
const storeWith = (...answers: ReadonlyArray<Response>) => {
  const left = [...answers]
  const calls: Array<string> = []
  const fetch = (input: unknown, init?: RequestInit) => {
    calls.push(`${init?.method ?? "GET"} ${String(input)} ${String(init?.body ?? "")}`.trim())
    return Promise.resolve(left.shift() ?? Response.error())
  }
  return { calls, store: createGatewayAgentsStore(createApiClient({ ...new FakeGateway().env, fetch })) }
}

const PATH = "http://console.test/api/mcp/gateway"
const away = () => Response.json({ error: "gateway_failure", details: "The gateway is away." }, { status: 502 })

describe("the gateway's own agents on the page", () => {
  it("are as the server says, and nothing is known while it doesn't say", async () => {
    const { store } = storeWith(Response.json({ state: "taken" }), away())
    await store.load()
    assert.deepStrictEqual(store.state.get(), { found: { state: "taken", address: null }, problem: null })
    await store.load()
    assert.isNull(store.state.get().found)
    assert.isNotNull(store.state.get().problem)
  })

  it("are added and removed, and the answer is what's shown", async () => {
    const { calls, store } = storeWith(
      Response.json({ state: "on", address: "http://here" }),
      Response.json({ state: "off" })
    )
    assert.isTrue((await store.add("http://here", ["read"])).ok)
    assert.deepStrictEqual(store.state.get().found, { state: "on", address: "http://here" })
    assert.isTrue((await store.remove()).ok)
    assert.deepStrictEqual(store.state.get().found, { state: "off", address: null })
    assert.deepStrictEqual(calls, [`PUT ${PATH} {"address":"http://here","rights":["read"]}`, `DELETE ${PATH}`])
  })

  it("are looked up again after a failure, which may have come too late", async () => {
    const { calls, store } = storeWith(away(), Response.json({ state: "on", address: "http://here" }))
    assert.deepStrictEqual(await store.add("http://here", ["read"]), { ok: false, message: "The gateway is away." })
    assert.deepStrictEqual(store.state.get().found, { state: "on", address: "http://here" })
    assert.strictEqual(calls[1], `GET ${PATH}`)
  })
})
