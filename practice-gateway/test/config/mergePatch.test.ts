import { assert, describe, it } from "@effect/vitest"
import { mergePatch, redacted, removedLists } from "../../src/config/mergePatch.ts"

describe("the practice gateway's configuration", () => {
  const before = { a: { b: 1, list: ["x", "y"] }, c: "d" }

  it("merges objects key by key, takes away what is null, and replaces the rest", () => {
    assert.deepStrictEqual(mergePatch(before, { a: { b: null, e: { f: null, g: 2 } }, c: ["h"] }), {
      a: { list: ["x", "y"], e: { g: 2 } },
      c: ["h"]
    })
    assert.deepStrictEqual(mergePatch({ c: "d" }, { c: { b: 1 } }), { c: { b: 1 } })
  })

  it("returns which lists a change would shorten or remove", () => {
    assert.deepStrictEqual(removedLists(before, mergePatch(before, { a: null })), ["a.list"])
    assert.deepStrictEqual(removedLists(before, mergePatch(before, { a: { list: ["x"] } })), ["a.list"])
    assert.deepStrictEqual(removedLists(before, mergePatch(before, { a: { list: ["x", "y", "z"], b: null } })), [])
  })

  it("hides headers and shows the rest", () => {
    assert.deepStrictEqual(redacted({ servers: { one: { url: "u", headers: { Authorization: "secret" } } } }), {
      servers: { one: { url: "u", headers: { Authorization: "__OPENCLAW_REDACTED__" } } }
    })
  })
})
