import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { lampState, tabIcon, tabState } from "../../src/shell/pageTitle.ts"

describe("tabState", () => {
  it("is the state that most wants attention, in whichever session", () => {
    assert.strictEqual(tabState([]), "idle")
    assert.strictEqual(tabState([{ state: "idle" }, { state: "working" }]), "working")
    assert.strictEqual(tabState([{ state: "working" }, { state: "unread" }]), "unread")
    assert.strictEqual(tabState([{ state: "unread" }, { state: "error" }]), "error")
    assert.strictEqual(tabState([{ state: "error" }, { state: "waiting" }]), "waiting")
  })

  it("has an icon for every state", () => {
    for (const state of ["working", "waiting", "error", "unread", "idle"] as const)
      assert.isTrue(existsSync(new URL(`../../public${tabIcon(state, { phase: "ready" })}`, import.meta.url)), state)
  })

  it("is dark while the gateway is away, whatever the sessions last said", () => {
    assert.strictEqual(tabIcon("waiting", { phase: "gaveUp" }), "/icon-offline.svg")
    assert.isTrue(existsSync(new URL("../../public/icon-offline.svg", import.meta.url)))
  })
})

describe("lampState", () => {
  it("is dark without a gateway, blinks for a person, is lit at work, and calm otherwise", () => {
    const working = [{ state: "working" }] as const
    assert.strictEqual(lampState({ phase: "waiting" }, 1, working), "dark")
    assert.strictEqual(lampState({ phase: "ready" }, 1, working), "blinking")
    assert.strictEqual(lampState({ phase: "ready" }, 0, working), "lit")
    assert.strictEqual(lampState({ phase: "ready" }, 0, [{ state: "idle" }]), "calm")
  })
})
