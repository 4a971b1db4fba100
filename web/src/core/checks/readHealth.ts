import type * as Answer from "../../../../src/contract/schema/machine.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"

/** What `/health` says. */
export interface Health extends Pick<Answer.Health, "gateway"> {
  /** Milliseconds since the console started. */
  readonly uptimeMs: number
  /** What happened to the board's file, in a sentence; null while all is well. */
  readonly database: string | null
}

export const healthOf = ({ database, gateway, uptime }: Answer.Health): Health => ({
  uptimeMs: uptime * 1_000,
  gateway,
  database: database ?? null
})

/** What `/health` says now. */
export const readHealth = (api: Pick<ApiClient, "request">): Promise<ApiResult<Health>> =>
  api.request("GET", "/health", healthOf)
