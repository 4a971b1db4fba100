import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's root directory. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../..", import.meta.url))

/** The script that starts a real gateway with a mock model: AGENT_GATEWAY_SCRIPT names it, `undefined` without one. */
export const findGatewayScript = (): string | undefined => {
  const named = process.env.AGENT_GATEWAY_SCRIPT ?? ""
  const path = resolve(PROJECT_ROOT, named)
  return named !== "" && existsSync(path) ? path : undefined
}
