import { assert, describe, it } from "@effect/vitest"
import { allowedBases, isAllowed } from "../../../../src/services/knowledge/git/gitRules.ts"

describe("gitRules", () => {
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
