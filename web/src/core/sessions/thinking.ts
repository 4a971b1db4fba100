import type { SessionRow } from "./sessionTypes.ts"

/** Levels every reasoning model knows, which an older gateway doesn't list. */
const COMMON = ["off", "minimal", "low", "medium", "high"]

/** The same words as on a card: "Off" rather than "off". */
const capitalised = (label: string): string => label.slice(0, 1).toUpperCase() + label.slice(1)

/** The thinking levels a session can be set to. */
export const thinkingChoices = (
  row: Pick<SessionRow, "thinkingLevels"> | null
): ReadonlyArray<{ readonly id: string; readonly label: string }> =>
  (row === null || row.thinkingLevels.length === 0 ? COMMON.map((id) => ({ id, label: id })) : row.thinkingLevels).map(
    ({ id, label }) => ({ id, label: capitalised(label) })
  )
