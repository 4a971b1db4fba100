import { DEFAULT_TITLES, type TaskStatus } from "../../contract/board.ts"
import type { BoardConfig, BoardConfigPatch } from "../../contract/schema/boardConfig.ts"

const column = (key: TaskStatus, visible = true) => ({ key, title: DEFAULT_TITLES[key], visible })

/** The configuration of a new board. */
export const DEFAULT_BOARD_CONFIG: BoardConfig = {
  columns: [
    column("backlog"),
    column("todo"),
    column("in-progress"),
    column("review"),
    column("done"),
    column("cancelled", false)
  ],
  defaults: { status: "todo", priority: "normal" },
  reviewRequired: true,
  allowDoneDragBypass: false,
  quickViewLimit: 5,
  proposalPolicy: "confirm"
}

/** The configuration with the named parts replaced. */
export const updateConfig = (config: BoardConfig, patch: BoardConfigPatch): BoardConfig => {
  const { defaults, defaultModel, ...rest } = patch
  const { defaultModel: currentModel, ...current } = config
  const model = defaultModel === undefined ? currentModel : defaultModel
  return {
    ...current,
    ...rest,
    defaults: { ...current.defaults, ...defaults },
    ...(model === undefined || model === null ? {} : { defaultModel: model })
  }
}
