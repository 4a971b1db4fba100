import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's root directory. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../..", import.meta.url))

/** A script beside the project that starts a real gateway with a mock model; AGENT_GATEWAY_SCRIPT names another one. */
const CANDIDATES = ["../shared/gateway/run-gateway.sh", "../../shared/gateway/run-gateway.sh"]

/** Where the script is; `undefined` when it is not there. */
export const findGatewayScript = (): string | undefined => {
  const named = process.env.AGENT_GATEWAY_SCRIPT
  const paths = (named === undefined || named === "" ? CANDIDATES : [named]).map((path) => resolve(PROJECT_ROOT, path))
  return paths.find(existsSync)
}
