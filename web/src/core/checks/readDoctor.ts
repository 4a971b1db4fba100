import { fieldsOf, filledText, recordsOf, textOf } from "../decode.ts"
import type { ApiClient } from "../types.ts"
import type { Check } from "./consoleChecks.ts"

/** The server looks at the gateway, folders and tools; each may take a while. */
const TIMEOUT_MS = 20_000

const STATES: ReadonlyArray<Check["state"]> = ["ok", "warning", "problem"]

/** What the server finds about itself, as `agent-console doctor` prints it; null when it cannot say. */
export const readDoctor = async (api: Pick<ApiClient, "request">): Promise<ReadonlyArray<Check> | null> => {
  const decode = (body: unknown) =>
    recordsOf(fieldsOf(body).checks).flatMap((fields): ReadonlyArray<Check> => {
      const id = filledText(fields.id)
      if (id === null) return []
      const state = STATES.find((known) => known === fields.state) ?? "unknown"
      const label = filledText(fields.title) ?? id
      return [{ id, label, state, text: textOf(fields.detail) ?? "", advice: filledText(fields.fix) }]
    })
  const answer = await api.request("GET", "/api/doctor", decode, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.value.length > 0 ? answer.value : null
}
