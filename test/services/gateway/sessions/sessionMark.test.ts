import { assert, describe, it } from "@effect/vitest"
import { changedMark, handedOver, isUnmarked, unmarked } from "../../../../src/services/gateway/sessions/sessionMark.ts"

const sessionKey = "agent:main:x"
const none = unmarked(sessionKey)
const full = { sessionKey, pinned: true, archivedAt: null, group: "Work", seenAt: 50 }

describe("changedMark", () => {
  it("changes what is named and leaves the rest", () => {
    assert.deepStrictEqual(changedMark(full, { sessionKey, group: " Home " }), { ...full, group: "Home" })
    assert.deepStrictEqual(changedMark(full, { sessionKey, group: null }), { ...full, group: null })
    assert.deepStrictEqual(changedMark(full, { sessionKey, pinned: false }), { ...full, pinned: false })
  })

  it("unpins what is archived, and brings back what is pinned", () => {
    const away = changedMark(full, { sessionKey, archivedAt: 90 })
    assert.deepStrictEqual(away, { ...full, pinned: false, archivedAt: 90 })
    assert.deepStrictEqual(changedMark(away, { sessionKey, archivedAt: null }), { ...full, pinned: false })
    assert.deepStrictEqual(changedMark(away, { sessionKey, pinned: true }), full)
  })

  it("never makes unread what was read", () => {
    assert.strictEqual(changedMark(full, { sessionKey, seenAt: 10 }).seenAt, 50)
    assert.strictEqual(changedMark(full, { sessionKey, seenAt: 60 }).seenAt, 60)
  })
})

describe("handedOver", () => {
  it("forgets only what the gateway keeps from now on", () => {
    assert.deepStrictEqual(handedOver(full, { sessionKey, pinned: false }), { ...full, pinned: false })
    assert.deepStrictEqual(handedOver(full, { sessionKey, group: "Home" }), { ...full, group: null })
    const away = { ...full, pinned: false, archivedAt: 90 }
    assert.deepStrictEqual(handedOver(away, { sessionKey, archivedAt: null }), { ...away, archivedAt: null })
    assert.deepStrictEqual(handedOver(away, { sessionKey, seenAt: 70 }), away)
  })
})

describe("isUnmarked", () => {
  it("says that nothing is left to keep", () => {
    assert.isTrue(isUnmarked(none))
    for (const change of [{ pinned: true }, { archivedAt: 1 }, { group: "x" }, { seenAt: 1 }])
      assert.isFalse(isUnmarked(changedMark(none, { sessionKey, ...change })))
  })
})
