import { assert, it } from "@effect/vitest"
import { parseProcessStat } from "../../../../src/services/machine/update/Processes.ts"

const stat = (name: string, state: string) =>
  `4321 (${name}) ${state} 1 4321 4321 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 11 0 987654 123 45 18446744073709551615\n`

it("the start is read behind any name a program may have", () => {
  for (const name of ["node", "a b", "evil) R 1 2 3", "((", ")"]) {
    assert.deepStrictEqual(parseProcessStat(stat(name, "S")), { isZombie: false, started: "987654" }, name)
  }
})

it("a process that ended and waits to be asked counts as ended", () => {
  assert.isTrue(parseProcessStat(stat("node", "Z"))?.isZombie)
  assert.isUndefined(parseProcessStat(""))
  assert.isUndefined(parseProcessStat("garbage"))
})
