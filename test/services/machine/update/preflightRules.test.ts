import { assert, it } from "@effect/vitest"
import {
  changesProblem,
  listed,
  neededBytes,
  ownerProblem,
  renameProblem,
  spaceProblem,
  toolProblem
} from "../../../../src/services/machine/update/preflightRules.ts"

it("old tools are named with their versions", () => {
  assert.isUndefined(toolProblem({ node: "24.0.0", npm: "9.0.0" }))
  assert.match(toolProblem({ node: "22.22.2", npm: "11.0.0" }) ?? "", /Node 24\.0\.0 or newer .* 22\.22\.2/)
  assert.match(toolProblem({ node: "v24.1.0", npm: "8.19.4" }) ?? "", /npm 9\.0\.0 or newer .* 8\.19\.4/)
  assert.match(toolProblem({ node: "24.1.0", npm: "garbage" }) ?? "", /npm/)
})

it("files of other users keep an update from starting, with what to do", () => {
  const own = [{ name: "dist", owner: 1000 }]
  assert.isUndefined(ownerProblem(1000, 1000, own))
  assert.match(ownerProblem(0, 1000, own) ?? "", /as root would leave files/)
  assert.match(ownerProblem(1001, 1000, own) ?? "", /run the update as that user/)
  const mixed = [...own, { name: "node_modules", owner: 0 }]
  assert.match(ownerProblem(1000, 1000, mixed) ?? "", /belong to root: node_modules\. .*chown/)
  assert.match(
    ownerProblem(1000, 1000, [...mixed, { name: "x", owner: 7 }]) ?? "",
    /belong to other users: node_modules, x/
  )
})

it("room, changes and long lists are reported in one sentence", () => {
  assert.isUndefined(spaceProblem(1024, 1024))
  assert.match(
    spaceProblem(5 << 20, 1 << 30) ?? "",
    /only 5 MB free on the checkout's disk, and this needs 1024 MB: free up some space/
  )
  assert.isUndefined(changesProblem([]))
  assert.match(changesProblem(["a", "b"]) ?? "", /have changes: a, b\. Commit/)
  assert.strictEqual(listed(Array.from({ length: 12 }, (_, n) => `f${n}`)).split(", ").length, 10)
  assert.match(listed(Array.from({ length: 12 }, (_, n) => `f${n}`)), /and 2 more$/)
})

it("a version that is prepared beside the other one needs room for both, one that is only swapped hardly any", () => {
  const megabytes = (bytes: number) => bytes / 1024 / 1024
  assert.strictEqual(megabytes(neededBytes({ installs: true, installed: 700 << 20 })), 1400)
  assert.strictEqual(megabytes(neededBytes({ installs: true, installed: 0 })), 1024)
  assert.strictEqual(megabytes(neededBytes({ installs: false, installed: 700 << 20 })), 64)
})

it("folders that cannot be swapped by renaming keep an update from starting", () => {
  const own = { name: "dist", isLink: false, isElsewhere: false }
  assert.isUndefined(renameProblem([own]))
  assert.match(
    renameProblem([own, { ...own, name: "node_modules", isElsewhere: true }]) ?? "",
    /^node_modules is on a different file system/
  )
  assert.match(renameProblem([{ ...own, isLink: true, isElsewhere: true }]) ?? "", /^dist is a symbolic link/)
})
