import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/board.ts"
import type { BoardConfig } from "./boardTypes.ts"
import { columnTitle } from "./columnTitles.ts"

/** A column as it is drawn. */
export interface ShownColumn {
  readonly key: TaskStatus
  readonly title: string
  /** 0 means no limit. */
  readonly wipLimit: number
  /** The configuration hides it; it is shown because someone asked for it. */
  readonly hidden: boolean
}

/** Every possible column: the configured ones in order, then the others. */
export const allColumns = (config: BoardConfig | null): ReadonlyArray<ShownColumn> => {
  const named = (config?.columns ?? []).map(({ key, wipLimit, visible }) => ({
    key,
    title: columnTitle(config, key),
    wipLimit,
    hidden: !visible
  }))
  const others = TASK_STATUSES.filter((status) => named.every(({ key }) => key !== status))
  return [
    ...named,
    ...others.map((key) => ({ key, title: columnTitle(config, key), wipLimit: 0, hidden: config !== null }))
  ]
}
