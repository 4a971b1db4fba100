import { say } from "../language/say.ts"
import type { BoardColumn, BoardConfig } from "./boardTypes.ts"
import { storedTitle } from "./columns.ts"

/** A configuration being edited. */
export type ConfigEdit = BoardConfig

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const columnBody = ({ key, title, wipLimit, visible }: BoardColumn) => ({
  key,
  title: storedTitle({ key, title: title.trim() }),
  visible,
  ...(wipLimit > 0 ? { wipLimit } : {})
})

const PARALLEL = ["total", "perAgent", "paused"] as const

const isWithin = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most

/** Only what was changed, so that settings someone else changed in the meantime are kept. */
export const configPatch = (base: BoardConfig, edit: ConfigEdit): Record<string, unknown> => {
  const patch: Record<string, unknown> = {}
  const keys = [
    "reviewRequired",
    "allowDoneDragBypass",
    "quickViewLimit",
    "proposalPolicy",
    "defaultModel",
    "handOver"
  ] as const
  for (const key of keys) if (edit[key] !== base[key]) patch[key] = edit[key]
  if (!sameJson(base.columns, edit.columns)) patch.columns = edit.columns.map(columnBody)
  const { parallel } = edit
  const changed = PARALLEL.filter((key) => parallel[key] !== base.parallel[key])
  if (changed.length > 0) patch.parallel = Object.fromEntries(changed.map((key) => [key, parallel[key]]))
  const defaults = {
    ...(edit.defaults.status === base.defaults.status ? {} : { status: edit.defaults.status }),
    ...(edit.defaults.priority === base.defaults.priority ? {} : { priority: edit.defaults.priority })
  }
  if (Object.keys(defaults).length > 0) patch.defaults = defaults
  return patch
}

/** What is wrong with a configuration; null if nothing. */
export const configProblem = (edit: ConfigEdit): string | null => {
  if (edit.columns.some(({ title }) => title.trim() === "")) return say("Every column needs a title.")
  if (edit.columns.every(({ visible }) => !visible)) return say("Show at least one column.")
  if (!isWithin(edit.quickViewLimit, 50)) return say("The quick view lists 1 to 50 cards.")
  if (!isWithin(edit.parallel.total, 50)) return say("1 to 50 cards can run at once.")
  if (!isWithin(edit.parallel.perAgent, 20)) return say("1 to 20 cards can run at once with one agent.")
  return null
}

/** The columns with one moved by a step; unchanged at the ends. */
export const movedColumn = (
  columns: ReadonlyArray<BoardColumn>,
  index: number,
  step: -1 | 1
): ReadonlyArray<BoardColumn> => {
  const column = columns[index]
  const target = index + step
  if (column === undefined || target < 0 || target >= columns.length) return columns
  return columns.toSpliced(index, 1).toSpliced(target, 0, column)
}
