import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { isWithin, parseName, parseRelativePath } from "../../../../src/services/knowledge/files/relativePath.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"

const Parts = Schema.Array(Schema.Literals(["..", ".", "/", "\\", "\0", "%2e", "%2f", "%25", "a", "~", " ", "é"]))

/** Undoes escapes layer by layer; none of what comes out may lead out of a folder. */
const stays = (path: string) => {
  const parsed = parseRelativePath(path)
  if (Result.isFailure(parsed)) return
  assert.strictEqual(parsed.success.join("/"), path)
  let text = path
  for (let layer = 0; layer < 6; layer += 1) {
    assert.isTrue(isWithin("/root/folder", posix.join("/root/folder", text)), `${JSON.stringify(path)} ${layer}`)
    assert.isFalse(text.includes("\0"))
    text = text.replace(/%(2e|2f|25)/gi, (escape) => decodeURIComponent(escape))
  }
}

describe("relativePath", () => {
  it.prop("what is accepted stays below the root, whichever of its escapes are undone", [Parts], ([parts]) =>
    stays(parts.join(""))
  )

  it("so does what is accepted of the corpus, which is little", () => {
    for (const spelling of TRAVERSAL_SPELLINGS) stays(spelling)
    const accepted = TRAVERSAL_SPELLINGS.filter((spelling) => Result.isSuccess(parseRelativePath(spelling)))
    assert.isBelow(accepted.length, 20, JSON.stringify(accepted))
  })

  it("takes every name a disk takes", () => {
    for (const name of ["a", "...", "a..b", "-", " ", "\n", "🦀", "100%", "%zz", "a%20b", "x".repeat(255), "%41"]) {
      assert.deepStrictEqual(parseName(name), Result.succeed(name))
    }
    for (const name of ["", ".", "..", "a/b", "a\\b", "a\0", "x".repeat(256), "é".repeat(128), "\ud800", "%2e%2e"]) {
      assert.isTrue(Result.isFailure(parseName(name)), JSON.stringify(name))
    }
    assert.deepStrictEqual(parseRelativePath(""), Result.succeed([]))
    assert.deepStrictEqual(parseRelativePath("a/~/b c"), Result.succeed(["a", "~", "b c"]))
  })

  it("respects separators when it distinguishes inside from outside", () => {
    assert.isTrue(isWithin("/", "/etc"))
    assert.isTrue(isWithin("/a", "/a"))
    assert.isTrue(isWithin("/a", "/a/b"))
    assert.isFalse(isWithin("/a", "/ab"))
    assert.isFalse(isWithin("/a/b", "/a"))
  })
})
