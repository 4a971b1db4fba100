import { assert, describe, it } from "@effect/vitest"
import {
  allowedBases,
  filterOverrides,
  isAllowed,
  parseStatus,
  parseWorktrees
} from "../../../../src/services/knowledge/git/gitRules.ts"

const HASH = "0123456789abcdef0123456789abcdef01234567"

describe("gitRules", () => {
  it("reads branch and state, a detached head as its short hash", () => {
    const read = (...lines: ReadonlyArray<string>) => parseStatus([...lines, ""])
    const oid = `# branch.oid ${HASH}`
    assert.deepStrictEqual(read(oid, "# branch.head main"), { branch: "main", dirty: false })
    assert.deepStrictEqual(read(oid, "# branch.head (detached)"), { branch: "0123456", dirty: false })
    assert.deepStrictEqual(read("# branch.oid (initial)", "# branch.head new"), { branch: "new", dirty: false })
    assert.deepStrictEqual(read(oid, "# branch.head a/b c", "# branch.ab +1 -0", "? x"), {
      branch: "a/b c",
      dirty: true
    })
    assert.deepStrictEqual(read(oid, "# branch.head main", "1 .M N... 100644 x"), { branch: "main", dirty: true })
    assert.deepStrictEqual(parseStatus([""]), { branch: null, dirty: false })
  })

  it("lists working trees, the main one first, without bare repositories", () => {
    const output = `worktree /a b/main\0HEAD ${HASH}\0branch refs/heads/main\0\0worktree /c\nd\0HEAD ${HASH}\0detached\0\0`
    assert.deepStrictEqual(parseWorktrees(output), ["/a b/main", "/c\nd"])
    assert.deepStrictEqual(parseWorktrees("worktree /x.git\0bare\0\0worktree /y\0detached\0\0"), ["/y"])
    assert.deepStrictEqual(parseWorktrees(""), [])
  })

  it("turns off the filters a repository brings, whatever their names, and leaves the owner's own", () => {
    const output =
      "global\0filter.lfs.clean\0local\0filter.a=b.clean\0worktree\0filter.x.process\0local\0filter.x.required\0"
    assert.deepStrictEqual(filterOverrides(output), [
      ["filter.a=b.clean", ""],
      ["filter.x.process", ""],
      ["filter.x.required", "false"]
    ])
    assert.deepStrictEqual(filterOverrides(""), [])
  })

  it("allows WORKSPACE_ROOT alone when it is set, else what is beside the main tree and every linked tree", () => {
    assert.deepStrictEqual(allowedBases("/work", ["/src/app"], "/src/app"), ["/work"])
    assert.deepStrictEqual(allowedBases(undefined, ["/src/app", "/trees/a"], "/src/app/in"), [
      "/src",
      "/src/app",
      "/trees/a"
    ])
    assert.deepStrictEqual(allowedBases(undefined, [], "/home/me/console"), ["/home/me"])
    assert.deepStrictEqual(allowedBases(undefined, [], "/console"), ["/console"])
    assert.isTrue(isAllowed(["/src"], "/src"))
    assert.isTrue(isAllowed(["/src"], "/src/app"))
    assert.isFalse(isAllowed(["/src"], "/srcs/app"))
    assert.isFalse(isAllowed([], "/src"))
  })
})
