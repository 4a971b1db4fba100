import { assert, it } from "@effect/vitest"
import {
  changesProblem,
  listed,
  ownerProblem,
  spaceProblem,
  toolProblem
} from "../../../src/services/update/preflightRules.ts"

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

it("room, changes and long lists are told in one sentence", () => {
  assert.isUndefined(spaceProblem(1024, 1024))
  assert.match(spaceProblem(5 << 20, 1 << 30) ?? "", /only 5 MB are free and an update needs 1024 MB/)
  assert.isUndefined(changesProblem([]))
  assert.match(changesProblem(["a", "b"]) ?? "", /were changed: a, b\. Commit/)
  assert.strictEqual(listed(Array.from({ length: 12 }, (_, n) => `f${n}`)).split(", ").length, 10)
  assert.match(listed(Array.from({ length: 12 }, (_, n) => `f${n}`)), /and 2 more$/)
})
