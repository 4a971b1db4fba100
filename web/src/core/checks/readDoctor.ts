import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { inPageLanguage } from "../link/inPageLanguage.ts"
import type { Check } from "./consoleChecks.ts"

/** The server checks the gateway, folders and tools; each may take a while. */
const TIMEOUT_MS = 20_000

/** A finding in the page's language. */
const inWords = async (check: Check): Promise<Check> => ({
  ...check,
  label: await inPageLanguage(check.label),
  text: await inPageLanguage(check.text),
  advice: check.advice === null ? null : await inPageLanguage(check.advice)
})

/** The server's findings, as printed by `agent-console doctor`; null if there are none. */
export const readDoctor = async (api: Pick<ApiClient, "request">): Promise<ReadonlyArray<Check> | null> => {
  const read = ({ checks }: Answers["GET /api/doctor"]): ReadonlyArray<Check> =>
    checks.map(({ detail, fix, id, state, title }) => ({ id, label: title, state, text: detail, advice: fix ?? null }))
  const answer = await api.request("GET", "/api/doctor", read, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.value.length > 0 ? Promise.all(answer.value.map(inWords)) : null
}
