import type { SessionRow } from "../chatTypes.ts"

/** Levels every reasoning model knows; what an older gateway does not list. */
const COMMON = ["off", "minimal", "low", "medium", "high"]

/** The thinking levels a session can be set to. */
export const thinkingChoices = (
  row: Pick<SessionRow, "thinkingLevels"> | null
): ReadonlyArray<{ readonly id: string; readonly label: string }> =>
  row === null || row.thinkingLevels.length === 0 ? COMMON.map((id) => ({ id, label: id })) : row.thinkingLevels
