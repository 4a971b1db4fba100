import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { applyPatch } from "../../../src/contract/applyPatch.ts"
import { diffItems } from "../../../src/contract/diffItems.ts"
import { eventGateway } from "../../../src/http/live/eventGateway.ts"
import { makeFrameBudget } from "../../../src/http/live/frameBudget.ts"

const Item = Schema.Struct({
  key: Schema.Literals(["a", "b", "c", "d", "e", "f"]),
  name: Schema.optionalKey(Schema.Literals(["one", "two"])),
  count: Schema.optionalKey(Schema.Int),
  more: Schema.optionalKey(Schema.Array(Schema.Int))
})
const Items = Schema.Array(Item)

const unique = (items: typeof Items.Type) => [...new Map(items.map((item) => [item.key, item])).values()]

it.prop("the difference of any two lists, applied to the first, gives the second", [Items, Items], ([one, two]) => {
  const [before, after] = [unique(one), unique(two)]
  const ops = diffItems(before, after, ({ key }) => key)
  // What goes on the wire is JSON.
  const patch: { readonly ops: typeof ops } = JSON.parse(JSON.stringify({ ops }))
  assert.deepStrictEqual(applyPatch({ items: before, head: {} }, patch)?.items, after)
  assert.deepStrictEqual(
    diffItems(after, after, ({ key }) => key),
    []
  )
})

describe("a patch", () => {
  const state = { items: [{ key: "a", text: "Hi" }, { key: "b" }], head: { older: "x", running: true } }

  it("merges the head at its first level; null removes a field", () => {
    const next = applyPatch(state, { head: { older: null, running: false, more: [1] } })
    assert.deepStrictEqual(next, { ...state, head: { running: false, more: [1] } })
  })

  it("adds to a text of the length it names, and asks for the state where that differs", () => {
    const add = (at: number) => applyPatch(state, { ops: [{ op: "add", key: "a", field: "text", at, text: " there" }] })
    assert.deepStrictEqual(add(2)?.items[0], { key: "a", text: "Hi there" })
    assert.isUndefined(add(1))
    assert.isUndefined(applyPatch(state, { ops: [{ op: "add", key: "b", field: "text", at: 0, text: "x" }] }))
  })

  it("inserts before a key or at the end, and moves and replaces a known one", () => {
    const after = (ops: Parameters<typeof applyPatch>[1]["ops"]) =>
      applyPatch(state, ops === undefined ? {} : { ops })?.items.map(({ key }) => key)
    assert.deepStrictEqual(after([{ op: "put", item: { key: "c" } }]), ["a", "b", "c"])
    assert.deepStrictEqual(after([{ op: "put", item: { key: "c" }, before: "a" }]), ["c", "a", "b"])
    assert.deepStrictEqual(after([{ op: "put", item: { key: "a" } }]), ["b", "a"])
    assert.deepStrictEqual(after([{ op: "drop", key: "a" }]), ["b"])
    assert.isUndefined(after([{ op: "put", item: { key: "c" }, before: "?" }]))
    assert.isUndefined(after([{ op: "set", key: "?", fields: {} }]))
  })
})

it("a client has 60 frames at once and 30 a second; a clock that is set back gives none", () => {
  const budget = makeFrameBudget(60, 30, 0)
  const taken = (now: number) => {
    let count = 0
    while (budget.take(now)) count += 1
    return count
  }
  assert.strictEqual(taken(0), 60)
  assert.strictEqual(taken(1000), 30)
  assert.strictEqual(taken(500), 0)
  assert.strictEqual(taken(1500), 30)
  assert.strictEqual(taken(3_600_000), 60)
})

it("an event is about the gateway that it names, by its id or by a session's key", () => {
  const of = (event: string, data: object) => eventGateway({ event, data, ts: 0 })
  assert.strictEqual(of("gateway.changed", { action: "removed", id: "b" }), "b")
  assert.strictEqual(of("outbox.changed", { gatewayId: "b", sessionKey: "agent:main:main" }), "b")
  assert.strictEqual(of("inbox.changed", { action: "added", item: { gatewayId: "b" } }), "b")
  assert.strictEqual(of("draft.changed", { sessionKey: "@b:agent:main:main", updatedAt: 1 }), "b")
  assert.strictEqual(of("draft.changed", { sessionKey: "agent:main:main", updatedAt: 1 }), "primary")
  assert.isUndefined(of("kanban.changed", { kind: "config" }))
  assert.isUndefined(of("status.changed", { gateway: "ok", since: 1 }))
})
