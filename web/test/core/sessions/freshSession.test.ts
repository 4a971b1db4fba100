import { assert, describe, it } from "@effect/vitest"
import { createFreshSession, nextFresh, plannedFields } from "../../../src/core/sessions/freshSession.ts"

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key)
  }
}

describe("a new session", () => {
  it("is the one that was left empty, unless another agent or gateway is meant", () => {
    const left = { key: "agent:main:dashboard:1", plan: { label: "Plans" } }
    assert.deepStrictEqual(
      nextFresh(left, {}, () => "2"),
      left
    )
    assert.strictEqual(nextFresh(left, { agentId: "other" }, () => "2").key, "agent:other:dashboard:2")
    assert.strictEqual(nextFresh(left, { gatewayId: "nas" }, () => "2").key, "@nas:agent:main:dashboard:2")
    assert.strictEqual(nextFresh(null, {}, () => "2").key, "agent:main:dashboard:2")
  })

  it("is remembered until it exists, with what was chosen for it", () => {
    const env = { storage: storage(), uuid: () => "1" }
    const first = createFreshSession(env)
    assert.isNull(first.get())
    const { key } = first.begin({})
    assert.isTrue(first.plan(key, { model: "demo/swift" }))
    assert.isFalse(first.plan("agent:main:main", { model: "demo/swift" }))
    const again = createFreshSession({ ...env, uuid: () => "2" })
    assert.strictEqual(again.begin({}).key, key)
    assert.deepStrictEqual(again.takePlan(key), { model: "demo/swift" })
    assert.isNull(again.takePlan(key), "it's chosen once")
    again.end()
    assert.isNull(createFreshSession(env).get())
  })

  it("has the model that was chosen for it", () => {
    assert.deepInclude(plannedFields({ model: "demo/some/swift" }), { modelProvider: "demo", model: "some/swift" })
    assert.notProperty(plannedFields({ model: null }), "model")
  })
})
