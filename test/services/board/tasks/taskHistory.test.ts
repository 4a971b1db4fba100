import { assert, it } from "@effect/vitest"
import { DEFAULT_BOARD_CONFIG } from "../../../../src/services/board/boardConfig.ts"
import { createTask, MAX_HISTORY, reorderTask, withHistory } from "../../../../src/services/board/tasks/taskRules.ts"

it("keeps the latest entries only", () => {
  let task = createTask({ title: "T" }, { id: "1", now: 0, config: DEFAULT_BOARD_CONFIG })
  for (let index = 0; index <= MAX_HISTORY; index += 1) {
    const change = reorderTask(task, index % 2 === 0 ? "done" : "todo", 0, index)
    task = withHistory(task, change, "moved", "Ada").task
  }
  assert.lengthOf(task.history ?? [], MAX_HISTORY)
  assert.strictEqual(task.history?.[0]?.at, 1)
})
