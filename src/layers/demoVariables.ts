import { isOnThisMachine } from "../services/platform/outgoing/mayReach.ts"

type Variables = Readonly<Record<string, string | undefined>>

const GATEWAY_VARIABLES = [
  "BOARD_URL",
  "GATEWAY_URL",
  "GATEWAY_TOKEN",
  "ALT_GATEWAY_TOKEN",
  "GATEWAY_HOME",
  "MEMORY_PATH",
  "MEMORY_DIR",
  "SESSIONS_DIR",
  "USAGE_FILE",
  "WORKSPACE_ROOT",
  "FILE_BROWSER_ROOT"
]

/** What sends something to an address, by the variable with the address: it stays if that's on this machine. */
const SENDING: Readonly<Record<string, ReadonlyArray<string>>> = {
  VENDOR_A_BASE_URL: ["VENDOR_A_API_KEY", "STT_PROVIDER"],
  VENDOR_B_BASE_URL: ["VENDOR_B_API_TOKEN"],
  NOTIFY_URL: ["NOTIFY_URL", "NOTIFY_SECRET"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["OTEL_EXPORTER_OTLP_ENDPOINT"]
}

/**
 * The variables for a demo: anything that points to a real gateway, its files or a real board is left out, and so is
 * what would send something to another machine. The demo keeps its state in the `demo` subfolder of the console's
 * folder, so it never touches real data.
 */
export const demoVariables = (variables: Variables): Variables => {
  const sending = Object.entries(SENDING).flatMap(([address, names]) =>
    isOnThisMachine(variables[address]?.trim() ?? "") ? [] : names
  )
  const left = new Set([...GATEWAY_VARIABLES, ...sending])
  const kept = Object.fromEntries(Object.entries(variables).filter(([name]) => !left.has(name)))
  const chosen = variables.SVC_HOME?.trim() ?? ""
  const home = `${chosen === "" ? "~/.agent-console" : chosen.replace(/\/+$/, "")}/demo`
  return { ...kept, SVC_HOME: home, GATEWAY_HOME: `${home}/gateway` }
}
