import { columnTitle } from "./boardText.ts"
import { type BoardConfig, TASK_STATUSES, type TaskStatus } from "./boardTypes.ts"

/** A column as it is drawn. */
export interface ShownColumn {
  readonly key: TaskStatus
  readonly title: string
  /** 0 means no limit. */
  readonly wipLimit: number
  /** The configuration hides it; it is shown because somebody asked for it. */
  readonly hidden: boolean
}

/** Every column there can be: the configured ones in their order, then those the configuration does not name. */
export const allColumns = (config: BoardConfig | null): ReadonlyArray<ShownColumn> => {
  const named = (config?.columns ?? []).map(({ key, title, wipLimit, visible }) => ({
    key,
    title,
    wipLimit,
    hidden: !visible
  }))
  const others = TASK_STATUSES.filter((status) => named.every(({ key }) => key !== status))
  return [
    ...named,
    ...others.map((key) => ({ key, title: columnTitle(config, key), wipLimit: 0, hidden: config !== null }))
  ]
}
