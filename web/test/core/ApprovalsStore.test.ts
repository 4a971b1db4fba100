import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type ApprovalsStore, createApprovalsStore, decodeApproval } from "../../src/core/ApprovalsStore.ts"
import { createGatewayLink } from "../../src/core/GatewayLink.ts"
import type { GatewayLink } from "../../src/core/types.ts"
import { FakeGateway } from "./support/FakeGateway.ts"

const KEY = "agent:main:a"
const request = (id: string, createdAtMs: number, expiresAtMs = 2_000_000) => ({
  id,
  request: { command: `rm ${id}`, cwd: "/srv", host: null, sessionKey: KEY },
  createdAtMs,
  expiresAtMs
})

let gateway: FakeGateway
let link: GatewayLink
let store: ApprovalsStore
const settle = () => vi.advanceTimersByTimeAsync(1)
const ids = () => store.open.get().map(({ id }) => id)
const event = (name: string, payload: object) => gateway.socket.event(name, payload)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  gateway = new FakeGateway()
  gateway.answers["exec.approval.list"] = () => [request("listed", 5)]
  link = createGatewayLink({ env: gateway.env, needsLogin: async () => false, clientVersion: "1" })
  store = createApprovalsStore(link, gateway.env)
})

afterEach(() => {
  store.dispose()
  link.dispose()
  vi.useRealTimers()
})

const connect = async () => {
  link.connect()
  await settle()
}

describe("what waits for an approval", () => {
  it("is listed after connecting, added as it is asked, oldest first, and gone when anybody answered", async () => {
    await connect()
    assert.deepStrictEqual(ids(), ["listed"])
    event("exec.approval.requested", request("second", 9))
    event("exec.approval.requested", request("first", 1))
    event("exec.approval.requested", request("first", 1))
    assert.deepStrictEqual(ids(), ["first", "listed", "second"])
    assert.deepStrictEqual([...store.waitingKeys.get()], [KEY])
    event("exec.approval.resolved", { id: "listed", decision: "deny" })
    assert.deepStrictEqual(ids(), ["first", "second"])
  })

  it("an older gateway is not asked for a list it does not have", async () => {
    gateway.protocol = 3
    await connect()
    assert.isFalse(
      gateway.socket.requests.some(({ method }) => method.endsWith(".list") && method.includes("approval"))
    )
    event("exec.approval.requested", request("heard", 1))
    assert.deepStrictEqual(ids(), ["heard"])
  })

  it("expires by itself", async () => {
    await connect()
    event("exec.approval.requested", request("short", 1, 1_005_000))
    assert.deepStrictEqual(ids(), ["short", "listed"])
    await vi.advanceTimersByTimeAsync(5_001)
    assert.deepStrictEqual(ids(), ["listed"])
  })

  it("is answered by its own method, and stays with a sentence when the gateway says no", async () => {
    await connect()
    event("plugin.approval.requested", {
      id: "p1",
      request: {
        title: "Send mail",
        description: "To everybody",
        sessionKey: KEY,
        allowedDecisions: ["deny", "allow-once"]
      },
      createdAtMs: 1,
      expiresAtMs: 2_000_000
    })
    const [plugin, exec] = store.open.get()
    if (plugin === undefined || exec === undefined) throw new Error("two wait")
    assert.deepStrictEqual(plugin.decisions, ["allow-once", "deny"])
    assert.deepStrictEqual(await store.resolve(plugin, "deny"), { ok: true, value: true })
    assert.deepStrictEqual(gateway.socket.last("plugin.approval.resolve").params, { id: "p1", decision: "deny" })
    assert.deepStrictEqual(ids(), ["listed"])
    gateway.held.add("exec.approval.resolve")
    const answer = store.resolve(exec, "allow-always")
    gateway.socket.refuse(
      gateway.socket.last("exec.approval.resolve"),
      "INVALID_REQUEST",
      "unknown or expired approval id"
    )
    assert.deepStrictEqual(await answer, {
      ok: false,
      message: "This request was answered already, or its time is over."
    })
    assert.deepStrictEqual(ids(), ["listed"])
  })

  it("a question makes its session wait until it is answered", async () => {
    await connect()
    event("question.requested", { id: "q", sessionKey: "agent:main:q" })
    assert.isTrue(store.waitingKeys.get().has("agent:main:q"))
    event("question.resolved", { id: "q" })
    assert.isFalse(store.waitingKeys.get().has("agent:main:q"))
  })

  it("is never made of what nobody could answer", () => {
    for (const odd of [
      null,
      7,
      "x",
      [],
      {},
      { id: "a" },
      { id: "a", request: [] },
      { id: "", request: { command: "x" } }
    ])
      assert.isNull(decodeApproval("exec", odd))
    assert.deepStrictEqual(
      decodeApproval("exec", { id: "a", request: { command: "ls", allowedDecisions: "all" } })?.decisions,
      ["allow-once", "allow-always", "deny"]
    )
  })
})
