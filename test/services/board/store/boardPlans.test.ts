import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { selectPage } from "../../../../src/services/board/store/taskRows.ts"
import { makeBoardWorld } from "../boardWorld.ts"

describe("lists in SQLite", () => {
  it.effect.each([
    ["", "COVERING INDEX tasks_place"],
    ["WHERE t.status IN (1, 2)", "COVERING INDEX tasks_place (status=?)"],
    ["WHERE t.priority IN ('high')", "COVERING INDEX tasks_place"],
    ["WHERE t.assignee = 'operator'", "COVERING INDEX tasks_assignee (assignee=?)"],
    ["WHERE t.seq IN (SELECT l.task FROM task_labels l WHERE l.label = 'x')", "PRIMARY KEY (label=?)"]
  ] as const)("of tasks %s are cut on an index, not by reading the board", ([where, index]) =>
    Effect.gen(function* () {
      const { sqlite } = yield* makeBoardWorld()
      const plan = yield* sqlite.read((db) => db.rows(`EXPLAIN QUERY PLAN ${selectPage("sqlite", where)}`, 50, 0))
      assert.include(JSON.stringify(plan), index)
    })
  )
})
