import { assert, describe, it } from "@effect/vitest"
import {
  lookUp,
  MAX_WORKDIRS,
  register,
  unregister,
  WORKDIR_LIFETIME_MS,
  type Workdirs
} from "../../../../src/services/knowledge/git/GitInfo.ts"

describe("workdirRegistry", () => {
  const none: Workdirs = new Map()

  it("keeps a directory for an hour to the millisecond, from the last registration", () => {
    const first = register(none, "a", "/one", 0)
    assert.strictEqual(lookUp(first, "a", WORKDIR_LIFETIME_MS - 1), "/one")
    assert.isUndefined(lookUp(first, "a", WORKDIR_LIFETIME_MS))
    const again = register(first, "a", "/two", 1000)
    assert.strictEqual(lookUp(again, "a", WORKDIR_LIFETIME_MS + 999), "/two")
    assert.isUndefined(lookUp(unregister(again, "a"), "a", 1000))
    assert.isUndefined(lookUp(again, "__proto__", 1000))
  })

  it("keeps a hundred; the oldest gives way, and one registered anew is not old", () => {
    let all = none
    for (let index = 0; index < MAX_WORKDIRS; index += 1) all = register(all, `s${index}`, "/x", index)
    all = register(all, "s0", "/y", 200)
    all = register(all, "new", "/z", 201)
    assert.strictEqual(all.size, MAX_WORKDIRS)
    assert.strictEqual(lookUp(all, "s0", 201), "/y")
    assert.isUndefined(lookUp(all, "s1", 201))
    assert.strictEqual(lookUp(all, "s2", 201), "/x")
  })
})
