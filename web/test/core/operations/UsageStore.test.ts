import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { Client } from "../../../src/core/client/Client.ts"
import { createClient } from "../../../src/core/client/createClient.ts"
import { createGatewayStore } from "../../../src/core/operations/GatewayStore.ts"
import { createUsageStore } from "../../../src/core/operations/UsageStore.ts"
import { FakeGateway } from "../support/FakeGateway.ts"

const json = (body: object) => new Response(JSON.stringify(body))

let gateway: FakeGateway
let client: Client
let asked: Array<string>
let limits: Array<object>
let rows: Array<object>

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T12:00:00Z") })
  gateway = new FakeGateway()
  asked = []
  limits = []
  rows = []
  gateway.fetch = async (url) => {
    const { pathname, search } = new URL(url)
    asked.push(`${pathname}${search}`)
    if (pathname === "/api/auth/status") return json({ authEnabled: false, authenticated: true })
    if (pathname === "/api/tokens/history") return json({ from: "2026-10-22", to: "2026-11-20", rows })
    if (search === "?ids=card-1%2Ccard-2") return json({ items: [{ id: "card-2", title: "Fix it" }] })
    if (pathname === "/api/agent-b-limits") return json(limits.shift() ?? { available: false, error: "nothing more" })
    return json({})
  }
  client = createClient(gateway.env)
  await client.start()
  await vi.advanceTimersByTimeAsync(20)
})
afterEach(() => {
  client.dispose()
  vi.useRealTimers()
})

describe("the usage", () => {
  it("is asked for by day, model and agent, and anew for another span", async () => {
    const store = createUsageStore(client)
    store.report.open()
    store.work.open()
    await vi.advanceTimersByTimeAsync(10)
    store.setSpan(7)
    await vi.advanceTimersByTimeAsync(10)
    assert.deepStrictEqual(
      asked.filter((path) => path.startsWith("/api/tokens/history")),
      [
        "/api/tokens/history?from=2026-10-22&group=day%2Cmodel%2Cagent",
        "/api/tokens/history?from=2026-10-22&group=work",
        "/api/tokens/history?from=2026-11-14&group=day%2Cmodel%2Cagent",
        "/api/tokens/history?from=2026-11-14&group=work"
      ]
    )
  })

  it("names the cards that are still there", async () => {
    rows = ["card-1", "card-2"].map((id) => ({ work: `task:${id}`, cost: 1 }))
    const store = createUsageStore(client)
    store.work.open()
    await vi.advanceTimersByTimeAsync(10)
    const names = store.work.state.get().value?.cards.map(({ name }) => name)
    assert.deepStrictEqual(names, ["Fix it", "Deleted cards"])
    assert.deepStrictEqual(
      asked.filter((path) => path.startsWith("/api/kanban")),
      ["/api/kanban/tasks?ids=card-1%2Ccard-2"]
    )
  })

  it("waits for limits that the server has yet to ask for, and not for ever", async () => {
    const asking = { available: false, error: "being asked for", pending: true }
    const store = createUsageStore(client)
    limits = [asking, asking, { available: true, session_limit: null, weekly_limit: null }]
    store.agentB.open()
    await vi.advanceTimersByTimeAsync(8_100)
    assert.isTrue(store.agentB.state.get().value?.available)
    limits = Array.from({ length: 20 }, () => asking)
    void store.agentB.refresh()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(limits.length, 14)
    assert.deepInclude(store.agentB.state.get().value, { available: false, asking: true })
  })
})

describe("the answer time of the gateway", () => {
  it("is measured at once and with each tick while somebody looks", async () => {
    const store = createGatewayStore(client)
    const stop = store.followLatency()
    await vi.advanceTimersByTimeAsync(10)
    assert.strictEqual(store.latencies.get().length, 1)
    gateway.socket.event("tick", { ts: 1 })
    await vi.advanceTimersByTimeAsync(10)
    assert.strictEqual(store.latencies.get().length, 2)
    stop()
    gateway.socket.event("tick", { ts: 2 })
    await vi.advanceTimersByTimeAsync(10)
    assert.strictEqual(store.latencies.get().length, 2)
  })
})
