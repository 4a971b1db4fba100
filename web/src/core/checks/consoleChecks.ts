import type * as Answer from "../../../../src/contract/schema/machine.ts"
import { listText } from "../common/phrases.ts"
import { duration } from "../common/timeText.ts"
import { say, sayCount } from "../language/say.ts"
import type { ApiClient, ApiFailure, ApiResult, ConnectDefaults } from "../link/apiTypes.ts"
import { failureText } from "../link/failureText.ts"
import type { GatewayHello, GatewayStatus, LinkState } from "../link/linkTypes.ts"
import { loadMachineTexts } from "../link/machineTexts.ts"

/** What `/health` says. */
export interface Health extends Pick<Answer.Health, "gateway"> {
  /** Milliseconds since the console started. */
  readonly uptimeMs: number
  /** What happened to the board's file, in a sentence; null while all is well. */
  readonly database: string | null
}

export const healthOf = ({ database, gateway, uptime }: Answer.Health): Health => ({
  uptimeMs: uptime * 1_000,
  gateway,
  database: database ?? null
})

/** What `/health` says now. */
export const readHealth = (api: Pick<ApiClient, "request">): Promise<ApiResult<Health>> =>
  api.request("GET", "/health", healthOf)

/** Something that must be right for the console to work fully. */
export interface Check {
  readonly id: string
  readonly label: string
  readonly state: "ok" | "warning" | "problem" | "unknown"
  /** The finding, in a sentence. */
  readonly text: string
  /** What to do about it; null if there is nothing to do. */
  readonly advice: string | null
}

/** The input of the checks; null means not known yet. */
export interface CheckInput {
  readonly health: Omit<Health, "database"> | ApiFailure | null
  /** The server's own findings; the page's view of the gateway and sign-in fills in if there are none. */
  readonly server: ReadonlyArray<Check> | null
  readonly gatewayStatus: GatewayStatus | null
  readonly link: LinkState
  readonly hello: GatewayHello | null
  readonly defaults: ConnectDefaults | null
  /** The browser lets this page use the microphone, notifications and a service worker. */
  readonly isSecure: boolean
  /** What the browser says about notifications from this page. */
  readonly notifications: "possible" | "denied" | "missing"
  /** The page was opened at one of this computer's own names. */
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
  const label = say("Console server")
  if (health === null) return check("server", label, "unknown", say("Not checked yet."))
  if ("kind" in health) {
    const advice = say("Make sure it's running and that this device is on its network.")
    return check("server", label, "problem", health.message, advice)
  }
  return check("server", label, "ok", say("Running for {duration}.", { duration: duration(health.uptimeMs) }))
}

const gatewayCheck = (health: CheckInput["health"], status: GatewayStatus | null): Check => {
  const label = say("Gateway")
  const reachable = status?.gateway ?? (health === null || "kind" in health ? null : health.gateway)
  if (reachable === null) return check("gateway", label, "unknown", say("Not checked yet."))
  if (reachable === "ok") return check("gateway", label, "ok", say("Connected."))
  const advice = say("Start the gateway, or set GATEWAY_URL to its address and restart the console.")
  return check("gateway", label, "problem", status?.reason ?? say("The console can't reach it."), advice)
}

const linkCheck = (link: LinkState): Check => {
  const label = say("This page's live connection")
  if (link.phase === "ready") return check("link", label, "ok", say("Open."))
  if (link.phase === "connecting" && link.attempt <= 1) return check("link", label, "unknown", say("Connecting."))
  const advice = say("The page retries automatically. If this doesn't change, reload the page.")
  return check("link", label, "problem", link.message ?? say("Not open."), advice)
}

const rightsCheck = (hello: GatewayHello | null): Check => {
  const label = say("Gateway permissions")
  if (hello === null) return check("rights", label, "unknown", say("Available once connected."))
  const missing = ["operator.read", "operator.write", "operator.admin"].filter(
    (scope) => hello.scopes !== null && !hello.scopes.includes(scope)
  )
  if (missing.length === 0) return check("rights", label, "ok", say("Read, write and admin."))
  const advice = say(
    "Approve this console's device on the gateway's computer: `openclaw devices list`, then `approve`."
  )
  return check("rights", label, "warning", say("Missing: {scopes}.", { scopes: listText(missing) }), advice)
}

const signInCheck = (defaults: CheckInput["defaults"], isLoopback: boolean): Check => {
  const label = say("Sign-in")
  if (defaults === null) return check("sign-in", label, "unknown", say("Not checked yet."))
  if (defaults.authEnabled) return check("sign-in", label, "ok", say("Password required."))
  if (isLoopback) return check("sign-in", label, "ok", say("Not required: opened on the console's own computer."))
  const advice = say("Set SVC_AUTH=true and a password, then restart the console.")
  return check("sign-in", label, "warning", say("Anyone who can reach this address can use the console."), advice)
}

/** Notifications may be blocked on purpose: that is told, and is no fault. */
const browserCheck = ({ isSecure, notifications }: Pick<CheckInput, "isSecure" | "notifications">): Check => {
  const label = say("Browser")
  if (isSecure && notifications === "denied") {
    const text = say("Microphone and installing are available. Notifications are blocked for this site.")
    return check("browser", label, "ok", text, say("To be notified, allow them in the browser's site settings."))
  }
  if (isSecure && notifications === "missing")
    return check(
      "browser",
      label,
      "ok",
      say("Microphone and installing are available. This browser has no notifications.")
    )
  if (isSecure) return check("browser", label, "ok", say("Microphone, notifications and installing are available."))
  const advice = say("Open the console over HTTPS, or at localhost.")
  const text = say("On plain HTTP, browsers don't allow the microphone, notifications or installing.")
  return check("browser", label, "warning", text, advice)
}

/** Everything that must be right, in order of dependency. */
export const consoleChecks = (input: CheckInput): ReadonlyArray<Check> => [
  serverCheck(input.health),
  ...(input.server ?? [gatewayCheck(input.health, input.gatewayStatus), signInCheck(input.defaults, input.isLoopback)]),
  linkCheck(input.link),
  rightsCheck(input.hello),
  browserCheck(input)
]

/** The checks that need action. */
export const openChecks = (checks: ReadonlyArray<Check>): ReadonlyArray<Check> =>
  checks.filter(({ state }) => state === "problem" || state === "warning")

/** How many of the checks need action, in a sentence. */
export const attentionText = (open: number, all: number): string =>
  open === 0
    ? say("Nothing needs your attention.")
    : sayCount(open, "{count} of {all} needs attention.", "{count} of {all} need attention.", { all })

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
  budgets: say("Budgets"),
  backup: say("Backup"),
  port: say("Port"),
  signin: say("Sign-in"),
  certificate: say("Certificate"),
  proxy: say("Proxy"),
  "speech-model": say("Speech model")
}

/** The server's findings, as printed by `agent-console doctor`; null if there are none. */
export const readDoctor = async (api: Pick<ApiClient, "request">): Promise<ReadonlyArray<Check> | null> => {
  const read = ({ checks }: Answer.DoctorReport): ReadonlyArray<Check> =>
    checks.map(({ detail, fix, fixWhy, id, state, title, why }) => ({
      id,
      label: LABELS[id] ?? title,
      state,
      text: failureText(detail, why),
      advice: failureText(fix ?? null, fixWhy)
    }))
  await loadMachineTexts()
  const answer = await api.request("GET", "/api/doctor", read, { timeoutMs: TIMEOUT_MS })
  return answer.ok && answer.value.length > 0 ? answer.value : null
}
