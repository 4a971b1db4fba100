import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { DoctorCheck } from "../../../../src/contract/answers/MachineAnswers.ts"
import { fieldsOf, filledText, recordsOf, textOf } from "../common/decode.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { inPageLanguage } from "../link/inPageLanguage.ts"
import type { Check } from "./consoleChecks.ts"

/** The server checks the gateway, folders and tools; each may take a while. */
const TIMEOUT_MS = 20_000

const STATES: ReadonlyArray<Check["state"]> = ["ok", "warning", "problem"]

/** A finding in the page's language. */
const inWords = async (check: Check): Promise<Check> => ({
  ...check,
  label: await inPageLanguage(check.label),
  text: await inPageLanguage(check.text),
  advice: check.advice === null ? null : await inPageLanguage(check.advice)
})

/** The server's findings, as printed by `agent-console doctor`; null if there are none. */
export const readDoctor = async (api: Pick<ApiClient, "request">): Promise<ReadonlyArray<Check> | null> => {
  const decode = (body: unknown) =>
    recordsOf<DoctorCheck>(fieldsOf<Answers["GET /api/doctor"]>(body).checks).flatMap(
      (fields): ReadonlyArray<Check> => {
        const id = filledText(fields.id)
        if (id === null) return []
        const state = STATES.find((known) => known === fields.state) ?? "unknown"
        const label = filledText(fields.title) ?? id
        return [{ id, label, state, text: textOf(fields.detail) ?? "", advice: filledText(fields.fix) }]
      }
    )
  const answer = await api.request("GET", "/api/doctor", decode, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.value.length > 0 ? Promise.all(answer.value.map(inWords)) : null
}
