import type * as Answer from "../../../../src/contract/answers/MachineAnswers.ts"
import { filledText, numberOf, recordOf } from "../common/decode.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"

/** What `/health` says. */
export interface Health extends Pick<Answer.Health, "gateway"> {
  /** Milliseconds since the console started. */
  readonly uptimeMs: number
  /** What happened to the board's file, in a sentence; null while all is well. */
  readonly database: string | null
}

export const decodeHealth = (body: unknown): Health | null => {
  const health = recordOf<Answer.Health>(body)
  const seconds = numberOf(health?.uptime)
  if (health === null || health.status !== "ok" || seconds === null) return null
  return {
    uptimeMs: seconds * 1_000,
    gateway: health.gateway === "ok" ? "ok" : "unreachable",
    database: filledText(health.database)
  }
}

/** What `/health` says now. */
export const readHealth = (api: Pick<ApiClient, "request">): Promise<ApiResult<Health>> =>
  api.request("GET", "/health", decodeHealth)
