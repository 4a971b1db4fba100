import { assert, describe, it } from "@effect/vitest"
import { branchName, isRefName, packedObject, parseRef } from "../../../../src/services/knowledge/git/readHead.ts"

const HASH = "0123456789abcdef0123456789abcdef01234567"

describe("refRules", () => {
  it("takes refs and objects for such, and nothing else", () => {
    assert.deepStrictEqual(parseRef("ref: refs/heads/main\n"), { ref: "refs/heads/main" })
    assert.deepStrictEqual(parseRef("ref:\trefs/heads/a\u00a0"), { ref: "refs/heads/a\u00a0" })
    assert.deepStrictEqual(parseRef(`${HASH}\n`), { object: HASH })
    for (const text of ["", "secret", HASH.slice(1), `${HASH}0`, HASH.toUpperCase(), `${HASH}\n${HASH}`, "ref: main"]) {
      assert.isUndefined(parseRef(text), text)
    }
  })

  it("knows the names git allows, so that none climbs out", () => {
    for (const name of ["refs/heads/main", "refs/heads/a/b-c.d", "refs/heads/caf\xe9", "refs/x"]) {
      assert.isTrue(isRefName(name), name)
    }
    for (const name of [
      "main",
      "refs/../x",
      "refs/heads/../x",
      "refs/heads/.x",
      "refs//x",
      "refs/x/",
      "refs/x.lock/y"
    ]) {
      assert.isFalse(isRefName(name), name)
    }
    for (const end of [" x", "\n", "\0", "~", "^", ":", "?", "*", "[", "\\", "@{", ".", "..", "\x7f"]) {
      assert.isFalse(isRefName(`refs/heads/a${end}`), JSON.stringify(end))
    }
  })

  it("finds a packed branch by its whole name", () => {
    const packed = Buffer.from(`# pack-refs with: peeled\n${HASH} refs/heads/main\n^${HASH}\nsecret refs/heads/x\n`)
    assert.strictEqual(packedObject(packed, "refs/heads/main"), HASH)
    for (const name of ["refs/heads/mai", "heads/main", "refs/heads/x"]) assert.isUndefined(packedObject(packed, name))
  })

  it("names branches without their folder, as text", () => {
    assert.strictEqual(branchName("refs/heads/a/b"), "a/b")
    assert.strictEqual(branchName("refs/remotes/origin/x"), "refs/remotes/origin/x")
    assert.strictEqual(branchName(Buffer.from("refs/heads/über").toString("latin1")), "über")
  })
})
