import { assert, describe, it } from "@effect/vitest"
import {
  approvalCommand,
  gatewayView,
  median,
  readHealth,
  readModels,
  readUpdate
} from "../../../src/core/operations/gatewayFacts.ts"
import type { GatewayHello, LinkPhase, LinkState } from "../../../src/core/types.ts"

const link = (phase: LinkPhase, message: string | null = null): LinkState => ({
  phase,
  attempt: 0,
  nextAttemptAt: null,
  message
})
const hello: GatewayHello = {
  protocol: 4,
  serverVersion: "2026.9.6",
  methods: new Set(),
  scopes: ["operator.read"],
  mainSessionKey: "agent:main:main",
  tickIntervalMs: 30_000,
  maxPayload: 1
}

describe("the gateway's state", () => {
  it("tells the page's link and the server's apart", () => {
    assert.strictEqual(gatewayView(link("ready"), hello, { gateway: "ok", reason: null }).word, "Connected")
    assert.strictEqual(gatewayView(link("ready"), hello, null).tone, "ok")
    const half = gatewayView(link("ready"), hello, { gateway: "unreachable", reason: "The gateway is starting." })
    assert.deepStrictEqual([half.tone, half.detail], ["busy", "The gateway is starting."])
    assert.strictEqual(gatewayView(link("ready"), { ...hello, scopes: [] }, null).word, "Not approved")
    assert.deepInclude(gatewayView(link("refused", "No."), null, null), { tone: "bad", detail: "No." })
    for (const phase of ["connecting", "waiting", "gaveUp", "unauthorized", "closed"] as const)
      assert.notStrictEqual(gatewayView(link(phase), null, null).tone, "ok")
  })

  it("gives the command that approves the device, the exact one first", () => {
    const list = 'On its machine run "openclaw devices list" and approve it.'
    const exact = "run `openclaw devices approve req-7` on the gateway host."
    assert.strictEqual(approvalCommand(null, list), "openclaw devices list")
    assert.strictEqual(approvalCommand(list, exact), "openclaw devices approve req-7")
    assert.isNull(approvalCommand(null, undefined, "All is well."))
  })
})

describe("facts from the server", () => {
  it("are read however odd", () => {
    assert.deepStrictEqual(readHealth({ status: "ok", uptime: 1.5, gateway: "ok" }), {
      uptimeMs: 1_500,
      gateway: "ok",
      database: null
    })
    assert.isNull(readHealth("ok"))
    assert.deepStrictEqual(readModels({ models: [{ id: "a/b" }, {}, null, { id: "c", label: "C", provider: "p" }] }), [
      { id: "a/b", label: "a/b", provider: "" },
      { id: "c", label: "C", provider: "p" }
    ])
    assert.isNull(readModels({}))
    assert.deepStrictEqual(readUpdate({ current: "1.0.0", latest: "1.1.0", updateAvailable: true }), {
      current: "1.0.0",
      latest: "1.1.0",
      isNewer: true,
      reason: null
    })
    assert.deepInclude(readUpdate({ current: "1.0.0", latest: null, reason: "no network" }), {
      isNewer: false,
      reason: "no network"
    })
    assert.isNull(readUpdate({ latest: "1.1.0" }))
    assert.strictEqual(median([5, 1, 9]), 5)
    assert.isNull(median([]))
  })
})
