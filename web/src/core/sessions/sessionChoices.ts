import type { Model } from "../../../../src/contract/schema/session.ts"
import { say } from "../language/say.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"
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

/** Asks the console for the models of a gateway; the primary one without an id. */
export const readModels = (
  api: Pick<ApiClient, "request">,
  gatewayId?: string
): Promise<ApiResult<ReadonlyArray<Model>>> =>
  api.request(
    "GET",
    `/api/gateway/models${gatewayId === undefined ? "" : `?gateway=${gatewayId}`}`,
    ({ models }: { readonly models: ReadonlyArray<Model> }) => models
  )

/** Gateways that only count a session's last run speak this protocol, or a later one. */
const COUNTS_LAST_RUN = 4

/**
 * What a session's cost is, by the protocol that its gateway speaks. Newer gateways only give that of its last run, so
 * it can go down; older ones add up all of them.
 */
export const costLabel = (protocol: number | undefined): string => {
  const isLast = protocol !== undefined && protocol >= COUNTS_LAST_RUN
  return isLast ? say("Cost of the last response (gateway's estimate)") : say("Cost so far (gateway's estimate)")
}
