import { isIP } from "node:net"
import type { Failure, Why } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { GatewayStatus } from "../../../contract/schema/gateway.ts"
import type { SttModelId } from "../../../contract/schema/voice.ts"
import { type ProxySign, signSentences } from "../../access/trust/proxySigns.ts"
import type { GatewayConnection } from "../../gateway/client/GatewayClient.ts"
import type { OpenFolder } from "../../platform/settings/consoleHome.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import type { SettingNote } from "../../platform/settings/settingNotes.ts"
import { exposureProblem } from "../../platform/settings/startRules.ts"
import type { Variables } from "../../platform/settings/variables.ts"
import type { StoreFault } from "../../platform/sqlite/storeFault.ts"
import { MODEL_SIZES } from "../../voice/stt/SttSettings.ts"
import { type Finding, finding, ok, problem, warning } from "./doctorCheck.ts"
import type { ChangeEvents } from "./lookAtFolders.ts"

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Who can get in, and whether that looks intended. */
export const signInFinding = (
  settings: Pick<SettingsShape, "host" | "authEnabled" | "allowInsecure" | "passwordHash" | "sessionSecret">
): Finding => {
  const exposed = exposureProblem(settings)
  if (exposed !== undefined) {
    return problem("The console won't start: it would be open to the network without a password.", `${exposed}.`)
  }
  if (!settings.authEnabled) {
    return LOOPBACK.test(settings.host)
      ? ok(failure("SIGN_IN_OFF"))
      : warning(failure("SIGN_IN_OFF_EXPOSED", { host: settings.host }), failure("SET_SIGN_IN"))
  }
  if (settings.passwordHash === undefined) {
    return warning(failure("SIGN_IN_WITH_TOKEN"), failure("SET_PASSWORD_HASH"))
  }
  return settings.sessionSecret === undefined
    ? warning(failure("SIGN_IN_UNTIL_RESTART"), failure("SET_SESSION_SECRET"))
    : ok(failure("SIGN_IN_ON"))
}

/** The name at which everything would need HTTPS, if the console says so without having been told to. */
export const hstsName = (
  { allowedOrigins, hsts }: Pick<SettingsShape, "allowedOrigins" | "hsts">,
  isChosen: boolean
): string | undefined => {
  if (isChosen || hsts !== "subdomains") return undefined
  const names = allowedOrigins.filter((origin) => origin.startsWith("https:")).map((origin) => new URL(origin).hostname)
  // Browsers ignore the header at an address in numbers.
  return names.find((name) => isIP(name.replace(/^\[|\]$/g, "")) === 0 && !LOOPBACK.test(name))
}

/** What the header locks out, and how it doesn't. */
export const hstsFinding = (name: string): Finding => warning(failure("HSTS_WIDE", { name }), failure("SET_HSTS"))

/** Two consoles at one host name take each other's sessions away. */
export const cookieFinding = (cookieName: string): Finding =>
  warning(failure("COOKIE_SHARED", { name: cookieName }), failure("SET_INSTANCE", { name: "second" }))

/** What the running console has seen of a proxy that it doesn't see through, the first thing first. */
export const proxyFinding = (signs: ReadonlyArray<ProxySign>): Finding | undefined => {
  const [first] = signs
  if (first === undefined) return undefined
  const { detail, fix } = signSentences(first)
  return warning(detail, fix)
}

/** What answers at the console's own address. */
export type PortUse =
  | { readonly kind: "console"; readonly version: string }
  | { readonly kind: "free" }
  | { readonly kind: "taken" }
  | { readonly kind: "forbidden" }
  | { readonly kind: "noSuchAddress" }

/** Whether the console has its port or could get it. */
export const portFinding = ({ host, port }: Pick<SettingsShape, "host" | "port">, use: PortUse): Finding => {
  switch (use.kind) {
    case "console":
      return ok(failure("CONSOLE_RUNNING", { version: use.version, port }))
    case "free":
      return ok(`Port ${port} on ${host} is free.`)
    case "taken":
      return problem(
        `Another program is using port ${port} on ${host}.`,
        "Stop that program or set PORT to a free port."
      )
    case "forbidden":
      return problem(`This user isn't allowed to listen on port ${port}.`, "Set PORT to a number above 1023.")
    case "noSuchAddress":
      return problem(
        `HOST ${host} isn't an address of this machine.`,
        "Set HOST=127.0.0.1 for this machine only, or HOST=0.0.0.0 for every network."
      )
  }
}

/** For when there is nothing to tell. */
export const ALL_USED = failure("SETTINGS_USED")

/** The console writes these itself, when somebody chooses them in its own settings. */
const OWN = ["SVC_LANGUAGE", "EDGE_VOICE_GENDER", "STT_PROVIDER", "STT_MODEL"]

/** The settings that are different from those the console started with. */
export const changedSettings = (
  started: Variables,
  now: Variables,
  known: ReadonlyArray<string>
): ReadonlyArray<string> =>
  known.filter((name) => !OWN.includes(name) && (started[name]?.trim() ?? "") !== (now[name]?.trim() ?? ""))

/** What was set and has no effect, or not yet; one finding for each. */
export const settingsFindings = (
  notes: ReadonlyArray<SettingNote>,
  changed: ReadonlyArray<string>,
  others: ReadonlyArray<Finding> = []
): ReadonlyArray<Finding> => {
  const findings = [
    ...notes.map(({ detail, fix }) => warning(detail, fix)),
    ...changed.map((name) => warning(failure("SETTING_CHANGED", { name }), failure("RESTART_CONSOLE"))),
    ...others
  ]
  return findings.length === 0 ? [ok(ALL_USED)] : findings
}

/** What only speech needs; the demo does without it and has nothing to set up. */
export const forDemo = (finding: Finding): Finding =>
  finding.state === "warning" ? ok(failure("NOT_NEEDED_FOR_DEMO")) : finding

/** Whether the local speech recognition model is installed. */
export const localSpeechFinding = (model: SttModelId, isReady: boolean): Finding =>
  isReady
    ? ok(failure("SPEECH_MODEL_INSTALLED", { model }))
    : warning(
        failure("SPEECH_MODEL_NOT_DOWNLOADED", { model, size: MODEL_SIZES[model] }),
        failure("CHOOSE_SPEECH_MODEL")
      )

/** Whether the speech recognition vendor has a key. */
export const vendorSpeechFinding = (hasKey: boolean): Finding =>
  hasKey ? ok(failure("SPEECH_BY_SERVICE")) : warning(failure("SPEECH_KEY_MISSING"), failure("ADD_SPEECH_KEY"))

const whole = (text: string, why: Why | undefined): Failure => {
  const message = /[.!?]$/.test(text) ? text : `${text}.`
  return why === undefined ? { message } : { message, why }
}

/** Whether the gateway can be reached. */
export const gatewayFinding = (
  url: string,
  status: GatewayStatus,
  connection: GatewayConnection | undefined
): Finding => {
  if (status.gateway === "ok") {
    const { version } = connection ?? {}
    return ok(
      version === undefined
        ? failure("GATEWAY_ANSWERS", { address: url })
        : failure("GATEWAY_ANSWERS_VERSION", { address: url, version })
    )
  }
  // The client's own failure messages already say what to do.
  return status.reason === undefined
    ? problem(failure("NOT_CONNECTED", { address: url }), failure("START_GATEWAY"))
    : finding("problem", whole(status.reason, status.why))
}

/** Whether there's a gateway token. Whether it's the right one shows in the connection. */
export const tokenFinding = (hasToken: boolean): Finding =>
  hasToken ? ok(failure("TOKEN_SET")) : problem(failure("TOKEN_NOT_SET"), failure("SET_GATEWAY_TOKEN"))

/** Whether the gateway has approved the console's device. */
export const deviceFinding = (status: GatewayStatus, connection: GatewayConnection | undefined): Finding => {
  if (connection === undefined) {
    return warning(failure("DEVICE_UNKNOWN"), failure("CONNECT_FIRST"))
  }
  if (connection.scopes.length > 0 && status.reason === undefined) {
    return ok(failure("DEVICE_APPROVED", { scopes: connection.scopes.join(", ") }))
  }
  return problem(
    status.reason === undefined ? failure("DEVICE_NOT_APPROVED") : whole(status.reason, status.why),
    failure("APPROVE_DEVICE")
  )
}

/** The facts about a folder. */
export interface FolderFacts {
  readonly isThere: boolean
  readonly isFolder: boolean
  readonly isReadable: boolean
  readonly isWritable: boolean
  /** Permission bits. */
  readonly mode: number
  readonly freeBytes: number
}

const LOW = 200 * 1024 * 1024
const FREE_SPACE = failure("FREE_UP_SPACE")

const OPEN: Readonly<Record<OpenFolder, Failure>> = {
  anothers: failure("HOME_OF_ANOTHER"),
  withoutModes: failure("HOME_WITHOUT_MODES")
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The console's own folder: `open` if it can't be closed to others, `fault` if its database can't be written to. */
export const homeFinding = (
  facts: FolderFacts,
  { open, fault }: { readonly open?: OpenFolder | undefined; readonly fault?: StoreFault | undefined } = {}
): Finding => {
  if (!facts.isThere) return ok("It will be created at the first start.")
  if (!facts.isFolder) return problem("There's a file in its place.", "Set SVC_HOME to a folder this user owns.")
  if (!facts.isWritable) {
    return problem(failure("HOME_NOT_WRITABLE"), failure("ALLOW_HOME"))
  }
  if (fault?.reason === "disk_full") return problem(failure("HOME_DISK_FULL"), FREE_SPACE)
  if (fault !== undefined) {
    // What to do is part of these sentences.
    return finding(fault.reason === "busy" ? "warning" : "problem", { ...fault, message: sentence(fault.message) })
  }
  if (facts.freeBytes < LOW) {
    return warning(failure("HOME_LOW_SPACE", { size: Math.floor(facts.freeBytes / 1024 / 1024) }), FREE_SPACE)
  }
  return open === undefined ? ok(failure("HOME_WRITABLE")) : warning(OPEN[open], failure("MOVE_HOME"))
}

/** The gateway's folder, with the agents' memory and workspaces; `events` if the workspace can be written to. */
export const gatewayFilesFinding = (facts: FolderFacts, workspace: FolderFacts, events?: ChangeEvents): Finding => {
  if (!facts.isThere || !facts.isFolder) {
    return warning(failure("GATEWAY_FOLDER_ELSEWHERE"), failure("RUN_WITH_GATEWAY"))
  }
  if (!workspace.isThere) return ok(failure("WORKSPACE_NOT_CREATED"))
  if (!workspace.isReadable) {
    return problem(failure("WORKSPACE_NOT_READABLE"), failure("RUN_AS_GATEWAY_USER"))
  }
  if (!workspace.isWritable) {
    return warning(failure("WORKSPACE_NOT_WRITABLE"), failure("RUN_AS_GATEWAY_USER"))
  }
  switch (events?.missed) {
    case "all":
      return warning(failure("WORKSPACE_POLLED"), failure("RAISE_WATCHES"))
    case "remote":
      return ok(failure("WORKSPACE_POLLED_ON", { name: events?.fileSystem ?? "" }))
    default:
      return ok(failure("WORKSPACE_OK"))
  }
}
