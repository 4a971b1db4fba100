import { assert, it } from "@effect/vitest"
import { makeAttemptStore } from "../../../../src/services/access/ratelimit/attemptStore.ts"

const preset = { limit: 2, windowMs: 100 }

it("what has reached its limit isn't pushed out, whatever comes, and what hasn't makes room", () => {
  const store = makeAttemptStore(preset, 3)
  for (const now of [0, 1]) store.take(now, "reached")
  store.take(2, "below")
  for (let index = 0; index < 50; index++) store.take(3, `made up ${index}`)
  assert.strictEqual(store.size(), 3)
  assert.isFalse(store.take(4, "reached").allowed)
  assert.strictEqual(store.take(4, "below").remaining, 1)
})

it("full of keys at their limit, it refuses new ones until one is free, and forgets none", () => {
  const store = makeAttemptStore(preset, 3)
  for (const key of ["a", "b", "c"]) for (const now of [0, 10]) store.take(now, key)
  assert.deepStrictEqual(store.take(20, "new"), { allowed: false, remaining: 0, resetAt: 100 })
  for (const key of ["a", "b", "c"]) assert.isFalse(store.take(99, key).allowed, key)
  assert.isTrue(store.take(100, "new").allowed)
  assert.strictEqual(store.size(), 3)
})

it("what had reached its limit long ago makes room before what is in use", () => {
  const store = makeAttemptStore(preset, 2)
  for (const now of [0, 1]) store.take(now, "long ago")
  store.take(150, "in use")
  store.take(160, "new")
  assert.strictEqual(store.take(161, "in use").remaining, 0)
})

it("a refund takes a key back below its limit, and a purge what is over", () => {
  const store = makeAttemptStore(preset, 3)
  for (const now of [0, 1]) store.take(now, "a")
  store.refund("a")
  store.take(2, "b")
  store.refund("b")
  assert.strictEqual(store.size(), 1)
  assert.isTrue(store.take(3, "a").allowed)
  store.purge(102)
  assert.strictEqual(store.size(), 1)
  assert.isTrue(store.take(102, "a").allowed)
  store.purge(202)
  assert.strictEqual(store.size(), 0)
})
