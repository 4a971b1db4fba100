import { assert, it } from "@effect/vitest"
import { namedWork, readWork } from "../../../src/core/operations/workUsage.ts"
import { usageRow } from "./usageRow.ts"

const words = { gone: "Deleted cards", others: (count: number) => `${count} other cards` }

const read = (costs: Readonly<Record<string, number>>) => {
  const rows = Object.entries(costs).map(([work, cost]) => usageRow({ work, cost, inputTokens: 1 }))
  return readWork({ from: "", to: "", group: ["work"], rows })
}

const shown = (all: ReturnType<typeof read>, names: Readonly<Record<string, string>>) =>
  namedWork(all, (id) => names[id], words).map(({ name, cost }) => [name, cost])

it("reads cards and jobs, the most expensive first, and leaves conversations out", () => {
  const all = read({ "": 100, "task:a": 1, "cron:b:c": 2, "other:x": 3, "task:": 4 })
  assert.deepStrictEqual(
    all.map(({ kind, id, cost, input }) => [kind, id, cost, input]),
    [
      ["cron", "b:c", 2, 1],
      ["task", "a", 1, 1]
    ]
  )
})

it("names the first ones; what was deleted and what follows is added up", () => {
  const all = read(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`task:${index}`, 2 ** (9 - index)])))
  assert.deepStrictEqual(shown(all, { 0: "Report", 1: "Test", 3: "Build", 5: "Ship" }), [
    ["Report", 512],
    ["Test", 256],
    ["Build", 64],
    ["Ship", 16],
    ["Deleted cards", 128 + 32],
    ["3 other cards", 8 + 4 + 2]
  ])
})

it("distinguishes cards with the same title", () => {
  assert.deepStrictEqual(
    shown(read({ "task:first-card": 2, "task:second-card": 1 }), { "first-card": "Fix it", "second-card": "Fix it" }),
    [
      ["Fix it (first-ca)", 2],
      ["Fix it (second-c)", 1]
    ]
  )
  assert.deepStrictEqual(shown([], {}), [])
})
