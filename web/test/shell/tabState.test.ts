import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { tabIcon, tabState } from "../../src/shell/pageTitle.ts"

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
      assert.isTrue(existsSync(new URL(`../../public${tabIcon(state)}`, import.meta.url)), state)
  })
})
