import { assert, it } from "@effect/vitest"
import { parseChanges, parseRemoteTags } from "../../../../src/services/machine/update/updateGit.ts"

const [A, B, C] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)]

it("an annotated tag resolves to its commit, not to itself", () => {
  const text = `${A}\trefs/tags/v1.0.0\n${B}\trefs/tags/v1.1.0\n${C}\trefs/tags/v1.1.0^{}\nwarning: something\n`
  assert.deepStrictEqual(parseRemoteTags(text), [
    { tag: "v1.0.0", commit: A },
    { tag: "v1.1.0", commit: C }
  ])
})

it("changes are named as they are now, blanks and renames included", () => {
  assert.deepStrictEqual(parseChanges(" M a file\0R  new\0old\0D  gone\0"), ["a file", "new", "gone"])
  assert.deepStrictEqual(parseChanges(""), [])
})
