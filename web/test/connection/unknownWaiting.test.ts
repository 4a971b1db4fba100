import { assert, describe, it } from "@effect/vitest"
import { unknownWaiting } from "../../src/connection/connectionText.ts"
import type { GatewayStatus, LinkState } from "../../src/core/link/linkTypes.ts"

const link = (phase: LinkState["phase"]): LinkState => ({ phase, attempt: 1, nextAttemptAt: null, message: null })
const status = (change: Partial<GatewayStatus> = {}): GatewayStatus => ({
  gateway: "ok",
  since: 1,
  reason: null,
  ...change
})

describe("what waits at the gateway", () => {
  it("is known while the console's server is connected, whatever the page's own link does", () => {
    for (const phase of ["ready", "waiting", "unapproved"] as const)
      assert.isNull(unknownWaiting(link(phase), status()))
    assert.isNull(unknownWaiting(link("ready"), null))
  })

  it("is unknown before the gateway was reached and before it approved the console", () => {
    const away = status({ gateway: "unreachable", reason: "No gateway is listening." })
    assert.strictEqual(unknownWaiting(link("ready"), away), "No gateway is listening.")
    assert.match(unknownWaiting(link("ready"), status({ gateway: "unreachable" })) ?? "", /can't reach/)
    const unapproved = status({ reason: "Approve it.", approval: { requestId: null } })
    assert.match(unknownWaiting(link("unapproved"), unapproved) ?? "", /approval/)
    assert.match(unknownWaiting(link("unapproved"), null) ?? "", /approval/)
  })
})
