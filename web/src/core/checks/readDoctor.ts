import type { DoctorReport } from "../../../../src/contract/schema/machine.ts"
import { say } from "../language/say.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import { failureText } from "../link/failureText.ts"
import type { Check } from "./consoleChecks.ts"

/** The server checks the gateway, folders and tools; each may take a while. */
const TIMEOUT_MS = 20_000

/** What the checks are called; those of programs have the program's name. */
const LABELS: Readonly<Record<string, string>> = {
  settings: say("Settings"),
  token: say("Gateway token"),
  gateway: say("Gateway"),
  device: say("Device approval"),
  "gateway-files": say("Gateway's files"),
  home: say("Console's folder"),
  board: say("Board"),
  port: say("Port"),
  signin: say("Sign-in"),
  certificate: say("Certificate"),
  proxy: say("Proxy"),
  "speech-model": say("Speech model")
}

/** The server's findings, as printed by `agent-console doctor`; null if there are none. */
export const readDoctor = async (api: Pick<ApiClient, "request">): Promise<ReadonlyArray<Check> | null> => {
  const read = ({ checks }: DoctorReport): ReadonlyArray<Check> =>
    checks.map(({ detail, fix, fixWhy, id, state, title, why }) => ({
      id,
      label: LABELS[id] ?? title,
      state,
      text: failureText(detail, why),
      advice: failureText(fix ?? null, fixWhy)
    }))
  const answer = await api.request("GET", "/api/doctor", read, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.value.length > 0 ? answer.value : null
}
