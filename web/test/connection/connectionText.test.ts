import { assert, describe, it } from "@effect/vitest"
import { connectionBanner, connectionView } from "../../src/connection/connectionText.ts"
import type { LinkPhase, LinkState } from "../../src/core/types.ts"

const link = (phase: LinkPhase, change: Partial<LinkState> = {}): LinkState => ({
  phase,
  attempt: 0,
  nextAttemptAt: null,
  message: null,
  ...change
})

describe("connectionBanner", () => {
  it("is silent while connected and during the first attempt", () => {
    assert.isNull(connectionBanner(link("ready"), 0, true))
    assert.isNull(connectionBanner(link("connecting", { attempt: 1 }), 0, false))
  })

  it("counts down in whole seconds, never below zero, and offers to try now", () => {
    const waiting = link("waiting", { attempt: 2, nextAttemptAt: 10_000 })
    assert.strictEqual(connectionBanner(waiting, 6_500, true)?.title, "Connection lost. Next attempt in 4 s.")
    assert.strictEqual(connectionBanner(waiting, 12_000, true)?.title, "Connection lost. Trying again…")
    assert.strictEqual(connectionBanner(waiting, 0, true)?.retry, "Reconnect now")
  })

  it("speaks of no lost connection where there was none", () => {
    const waiting = link("waiting", { attempt: 2, nextAttemptAt: 10_000 })
    assert.strictEqual(
      connectionBanner(waiting, 6_500, false)?.title,
      "No connection to the gateway yet. Next attempt in 4 s."
    )
    assert.strictEqual(connectionBanner(waiting, 0, false)?.retry, "Try now")
    const trying = connectionBanner(link("connecting", { attempt: 2 }), 0, false)
    assert.strictEqual(trying?.title, "No connection to the gateway yet. Trying again…")
  })

  it("says how often it tried when it gave up, and what the gateway said when it refused", () => {
    assert.include(connectionBanner(link("gaveUp", { attempt: 50 }), 0, true)?.title, "50")
    const refused = connectionBanner(link("refused", { message: "Approve this device on the gateway host." }), 0, true)
    assert.strictEqual(refused?.detail, "Approve this device on the gateway host.")
    assert.strictEqual(refused?.retry, "Try again")
  })
})

describe("connectionView", () => {
  it("tells the first connection from a later one", () => {
    assert.strictEqual(connectionView(link("connecting", { attempt: 1 })).label, "Connecting…")
    assert.strictEqual(connectionView(link("connecting", { attempt: 3 })).label, "Reconnecting…")
  })
})
