import { duration } from "../timeText.ts"
import type { ApiFailure, ConnectDefaults, GatewayHello, GatewayStatus, LinkState } from "../types.ts"

/** One thing that has to be right for the console to work whole. */
export interface Check {
  readonly id: string
  readonly label: string
  readonly state: "ok" | "warning" | "problem" | "unknown"
  /** What was found, in a sentence. */
  readonly text: string
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null
}

/** What `/health` says. */
export interface Health {
  readonly uptimeMs: number
  readonly gateway: "ok" | "unreachable"
}

/** What the checks look at; null is what is not known yet. */
export interface CheckInput {
  readonly health: Health | ApiFailure | null
  /** What the server finds about itself; the page's own look at gateway and sign-in stands in where it cannot say. */
  readonly server: ReadonlyArray<Check> | null
  readonly gatewayStatus: GatewayStatus | null
  readonly link: LinkState
  readonly hello: GatewayHello | null
  readonly defaults: ConnectDefaults | null
  /** The browser lets this page use the microphone, notifications and a service worker. */
  readonly isSecure: boolean
  /** The page was opened at a name of this computer. */
  readonly isLoopback: boolean
}

const check = (
  id: string,
  label: string,
  state: Check["state"],
  text: string,
  advice: string | null = null
): Check => ({
  id,
  label,
  state,
  text,
  advice
})

const serverCheck = (health: CheckInput["health"]): Check => {
  const label = "Console server"
  if (health === null) return check("server", label, "unknown", "Not asked yet.")
  if ("kind" in health) {
    const advice = "See that it runs on its computer, and that this device is on its network."
    return check("server", label, "problem", health.message, advice)
  }
  return check("server", label, "ok", `Running for ${duration(health.uptimeMs)}.`)
}

const gatewayCheck = (health: CheckInput["health"], status: GatewayStatus | null): Check => {
  const label = "Gateway"
  const reachable = status?.gateway ?? (health === null || "kind" in health ? null : health.gateway)
  if (reachable === null) return check("gateway", label, "unknown", "Not known yet.")
  if (reachable === "ok") return check("gateway", label, "ok", "The console reaches it.")
  const advice = "Start the gateway, or set GATEWAY_URL to where it runs and restart the console."
  return check("gateway", label, "problem", status?.reason ?? "The console does not reach it.", advice)
}

const linkCheck = (link: LinkState): Check => {
  const label = "Live connection of this page"
  if (link.phase === "ready") return check("link", label, "ok", "Open.")
  if (link.phase === "connecting" && link.attempt <= 1) return check("link", label, "unknown", "Being opened.")
  const advice = "It is tried again by itself. If it stays so, reload the page."
  return check("link", label, "problem", link.message ?? "Not open.", advice)
}

const rightsCheck = (hello: GatewayHello | null): Check => {
  const label = "Rights at the gateway"
  if (hello === null) return check("rights", label, "unknown", "Known once the connection is open.")
  const missing = ["operator.read", "operator.write", "operator.admin"].filter(
    (scope) => hello.scopes !== null && !hello.scopes.includes(scope)
  )
  if (missing.length === 0) return check("rights", label, "ok", "Read, write and administer.")
  const advice = "Approve this console's device on the gateway's computer: `openclaw devices list`, then `approve`."
  return check("rights", label, "warning", `Missing: ${missing.join(", ")}.`, advice)
}

const signInCheck = (defaults: ConnectDefaults | null, isLoopback: boolean): Check => {
  const label = "Sign-in"
  if (defaults === null) return check("sign-in", label, "unknown", "Not known yet.")
  if (defaults.authEnabled) return check("sign-in", label, "ok", "A password is needed.")
  if (isLoopback) return check("sign-in", label, "ok", "Not needed: opened on the console's own computer.")
  const advice = "Set SVC_AUTH=true and a password, then restart the console."
  return check("sign-in", label, "warning", "Whoever reaches this address can use the console.", advice)
}

const browserCheck = (isSecure: boolean): Check => {
  const label = "Browser"
  if (isSecure) return check("browser", label, "ok", "Microphone, notifications and installing are possible.")
  const advice = "Open the console by HTTPS, or at localhost."
  const text = "On plain HTTP browsers withhold the microphone, notifications and installing."
  return check("browser", label, "warning", text, advice)
}

/** Everything that has to be right, in the order in which one thing needs the other. */
export const consoleChecks = (input: CheckInput): ReadonlyArray<Check> => [
  serverCheck(input.health),
  ...(input.server ?? [gatewayCheck(input.health, input.gatewayStatus), signInCheck(input.defaults, input.isLoopback)]),
  linkCheck(input.link),
  rightsCheck(input.hello),
  browserCheck(input.isSecure)
]

/** The checks somebody should act on. */
export const openChecks = (checks: ReadonlyArray<Check>): ReadonlyArray<Check> =>
  checks.filter(({ state }) => state === "problem" || state === "warning")
