import { assert, describe, it } from "@effect/vitest"
import { commonOf, foldersUpwards, pathIn } from "../../../../src/services/knowledge/git/findRepository.ts"

describe("gitPaths", () => {
  it("looks upwards as far as the nearest ceiling, and always at where it starts", () => {
    assert.deepStrictEqual(foldersUpwards("/a/b/c", []), ["/a/b/c", "/a/b", "/a", "/"])
    assert.deepStrictEqual(foldersUpwards("/a/b/c", ["/a", "/", "/other"]), ["/a/b/c", "/a/b"])
    assert.deepStrictEqual(foldersUpwards("/a", ["/a", "/"]), ["/a"])
    assert.deepStrictEqual(foldersUpwards("/", []), ["/"])
  })

  it("reads the path of a file that names one", () => {
    assert.strictEqual(pathIn("gitdir: ../x\r\n", "gitdir: "), "../x")
    assert.strictEqual(pathIn(Buffer.from("/ü\n").toString("latin1"), ""), "/ü")
    for (const content of ["", "gitdir:x", "gitdir: ", "gitdir: \n", "gitdir: a\0b", "gitdir: \xff"]) {
      assert.isUndefined(pathIn(content, "gitdir: "), content)
    }
  })

  it("knows a linked working tree's directory by its place", () => {
    assert.strictEqual(commonOf("/a/.git/worktrees/b"), "/a/.git")
    assert.isUndefined(commonOf("/a/.git"))
    assert.isUndefined(commonOf("/a/.git/modules/b"))
  })
})
