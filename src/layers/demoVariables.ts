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

/**
 * The variables for a demo: anything that points to a real gateway, its files or a real board is left out, and the demo keeps its
 * state in the `demo` subfolder of the console's folder, so it never touches real data.
 */
export const demoVariables = (variables: Variables): Variables => {
  const kept = Object.fromEntries(Object.entries(variables).filter(([name]) => !GATEWAY_VARIABLES.includes(name)))
  const chosen = variables.SVC_HOME?.trim() ?? ""
  const home = `${chosen === "" ? "~/.agent-console" : chosen.replace(/\/+$/, "")}/demo`
  return { ...kept, SVC_HOME: home, GATEWAY_HOME: `${home}/gateway` }
}
