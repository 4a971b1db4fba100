import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { DEFAULT_TITLES, TASK_STATUSES } from "../../../../src/contract/board.ts"
import { configOf } from "../../../src/core/board/readBoard.ts"
import { CONFIG } from "./FakeBoard.ts"

const config = configOf({
  ...CONFIG,
  columns: [
    { key: "todo", title: "To Do", visible: true },
    { key: "done", title: "Shipped", visible: true },
    { key: "review", title: "Done", visible: true }
  ]
})

const board = () => {
  if (config === null) throw new Error("no configuration")
  return config
}

describe("a new board's columns", () => {
  it("have the same titles on an English page as on the server", async () => {
    const { columnTitle } = await import("../../../src/core/board/columns.ts")
    for (const status of TASK_STATUSES) assert.strictEqual(columnTitle(null, status), DEFAULT_TITLES[status])
  })
})

describe("the columns of a German page", () => {
  beforeAll(() => {
    vi.resetModules()
    vi.stubGlobal("pageTexts", { "To Do": "Zu erledigen", Done: "Fertig" })
  })

  afterAll(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it("are in German while they have their first titles, and as typed from then on", async () => {
    const { columnTitle } = await import("../../../src/core/board/columns.ts")
    const { allColumns } = await import("../../../src/core/board/columns.ts")
    const { valueText } = await import("../../../src/core/board/boardText.ts")
    const { moveQuestion } = await import("../../../src/core/board/moveRules.ts")
    assert.strictEqual(columnTitle(config, "todo"), "Zu erledigen")
    assert.strictEqual(columnTitle(config, "done"), "Shipped")
    // Another column's first title is one that somebody chose.
    assert.strictEqual(columnTitle(config, "review"), "Done")
    assert.deepStrictEqual(
      allColumns(config)
        .slice(0, 3)
        .map(({ title }) => title),
      ["Zu erledigen", "Shipped", "Done"]
    )
    assert.strictEqual(valueText("status", "todo", config, 0), "Zu erledigen")
    const full = { ...board(), columns: board().columns.map((column) => ({ ...column, wipLimit: 1 })) }
    const counts = { backlog: 0, todo: 1, "in-progress": 0, review: 0, done: 0, cancelled: 0 }
    assert.deepStrictEqual(moveQuestion({ status: "backlog", run: null, assignee: null }, "todo", full, counts), {
      kind: "full",
      title: "Zu erledigen",
      limit: 1
    })
  })

  it("are saved with their first titles, so that they're in everybody's own language", async () => {
    const { allColumns } = await import("../../../src/core/board/columns.ts")
    const { configPatch } = await import("../../../src/core/board/configEdit.ts")
    const columns = allColumns(config).map(({ key, title, wipLimit, hidden }) => ({
      key,
      title,
      wipLimit,
      visible: !hidden
    }))
    const base = { ...board(), columns }
    assert.deepStrictEqual(configPatch(base, base), {})
    const edit = { ...base, columns: columns.map((column) => ({ ...column, visible: true })) }
    const saved = configPatch(base, edit).columns
    assert.deepInclude(saved, { key: "todo", title: "To Do", visible: true })
    assert.deepInclude(saved, { key: "done", title: "Shipped", visible: true })
  })
})
