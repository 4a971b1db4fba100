import { fieldsOf, numberOf } from "../decode.ts"
import type { ApiClient, ApiFailure } from "../types.ts"
import type { Health } from "./consoleChecks.ts"

/** What `/health` says now, or why it says nothing. */
export const readHealth = async (api: Pick<ApiClient, "request">): Promise<Health | ApiFailure> => {
  const answer = await api.request("GET", "/health", (body): Health | null => {
    const { status, uptime, gateway } = fieldsOf(body)
    const seconds = numberOf(uptime)
    if (status !== "ok" || seconds === null) return null
    return { uptimeMs: seconds * 1_000, gateway: gateway === "ok" ? "ok" : "unreachable" }
  })
  return answer.ok ? answer.value : answer.error
}
