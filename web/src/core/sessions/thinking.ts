import { say } from "../language/say.ts"
import type { SessionRow } from "./sessionTypes.ts"

/** Levels every reasoning model knows, which an older gateway doesn't list. */
const COMMON = ["off", "minimal", "low", "medium", "high"]

/** Levels by what gateways call them. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["off", say("Off")],
  ["on", say("On")],
  ["minimal", say("Minimal")],
  ["low", say("Low")],
  ["medium", say("Medium")],
  ["high", say("High")],
  ["xhigh", say("Extra high")],
  ["extra high", say("Extra high")],
  ["max", say("Max")],
  ["adaptive", say("Adaptive")]
])

/** A level in words; one that this page doesn't know stays as its gateway calls it. */
export const thinkingText = (level: string): string =>
  WORDS.get(level.toLowerCase()) ?? level.slice(0, 1).toUpperCase() + level.slice(1)

/** The thinking levels a session can be set to. */
export const thinkingChoices = (
  row: Pick<SessionRow, "thinkingLevels"> | null
): ReadonlyArray<{ readonly id: string; readonly label: string }> =>
  row === null || row.thinkingLevels.length === 0
    ? COMMON.map((id) => ({ id, label: thinkingText(id) }))
    : row.thinkingLevels.map(({ id, label }) => ({ id, label: thinkingText(label) }))
