import { posix } from "node:path"
import { Redacted, Result, Schema, SchemaIssue } from "effect"
import { DEFAULT_AGENT_NAME } from "../../../contract/gatewayNames.ts"
import { LANGUAGES } from "../../../contract/schema/voice.ts"
import type { SettingsShape } from "./Settings.ts"
import { normaliseOrigin, pushOrigin, readNotifyUrl } from "./settingAddresses.ts"
import { countsWhenEmpty, type Environment, EnvironmentSchema, entriesOf } from "./settingsSchema.ts"

/** An invalid variable; `message` names it and says what's allowed. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  message: Schema.String
}) {}

/** The base of relative defaults. */
export interface SettingsBase {
  readonly homeDir: string
  readonly installDir: string
  readonly webRoot: string
}

/** The address of a gateway without a port in its settings. */
export const DEFAULT_GATEWAY_URL = "http://127.0.0.1:18789"

const DEFAULT_WS_HOSTS = ["localhost", "127.0.0.1", "::1"]
const DEFAULT_TRUSTED_PROXIES = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
const CONNECT_SCHEMES = /^(https?|wss?):/i

const decodeEnvironment = Schema.decodeUnknownResult(EnvironmentSchema, { errors: "all" })
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const list = (value: string | undefined, separator: RegExp | string = ","): ReadonlyArray<string> =>
  (value ?? "")
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item.length > 0)

const secret = (value: string | undefined) => (value === undefined ? undefined : Redacted.make(value))

const withoutSlash = (address: string) => address.replace(/\/+$/, "")

const isTrue = (value: string | undefined) => value === "true" || value === "1"

const connectSource = (value: string): ReadonlyArray<string> => {
  const clean = value.replace(/[;\r\n]/g, "")
  return CONNECT_SCHEMES.test(clean) ? [clean] : []
}

/** Raw values by name. */
type Raw = Readonly<Record<string, string | undefined>>

/** The values that count: empty ones are absent, except those in `countsWhenEmpty`. */
const presentIn = (variables: Raw): Readonly<Record<string, string>> => {
  const present: Record<string, string> = {}
  for (const key of Object.keys(EnvironmentSchema.fields)) {
    // What's in a file of its own may begin or end with a blank.
    const value = variables[`${key}_FILE`] === undefined ? variables[key]?.trim() : variables[key]
    if (value !== undefined && (value.length > 0 || countsWhenEmpty(key))) present[key] = value
  }
  return present
}

/** A value that can't be used, and what's allowed instead. It never has the value of a secret. */
export interface SettingIssue {
  readonly name: string
  readonly message: string
}

const issuesOf = ({ issue }: Schema.SchemaError): ReadonlyArray<SettingIssue> =>
  formatIssue(issue).issues.map(({ message, path = [] }) => ({ name: path.map(String).join("."), message }))

/** All values that can't be used. */
export const settingIssues = (variables: Raw): ReadonlyArray<SettingIssue> =>
  Result.match(decodeEnvironment(presentIn(variables)), { onSuccess: () => [], onFailure: issuesOf })

/** Decodes raw variables into settings. Fails with a message that names the first invalid variable. */
export const decodeSettings = (variables: Raw, base: SettingsBase): Result.Result<SettingsShape, SettingsError> =>
  decodeEnvironment(presentIn(variables)).pipe(
    Result.mapError((error) => {
      const [first] = issuesOf(error)
      return new SettingsError({ message: `${first?.name ?? "a setting"} ${first?.message ?? "isn't valid"}` })
    }),
    Result.map((env) => toSettings(env, base))
  )

const toSettings = (env: Environment, base: SettingsBase): SettingsShape => {
  const path = (value: string | undefined, fallback: string): string => {
    const chosen = value ?? fallback
    const expanded = chosen === "~" || chosen.startsWith("~/") ? posix.join(base.homeDir, chosen.slice(1)) : chosen
    return posix.resolve(base.installDir, expanded)
  }
  const svcHome = path(env.SVC_HOME, "~/.agent-console")
  const gatewayHome = path(env.GATEWAY_HOME, "~/.openclaw")
  const workspace = posix.join(gatewayHome, "workspace")
  const language = (env.SVC_LANGUAGE ?? env.LANGUAGE ?? "en").slice(0, 2).toLowerCase()
  return {
    port: env.PORT ?? 3080,
    sslPort: env.SSL_PORT ?? 3443,
    host: (env.HOST ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1"),
    basePath: env.BASE_PATH === undefined || env.BASE_PATH === "/" ? "" : env.BASE_PATH,
    gatewayToken: secret(env.GATEWAY_TOKEN ?? env.ALT_GATEWAY_TOKEN),
    gatewayUrl: new URL((env.GATEWAY_URL ?? DEFAULT_GATEWAY_URL).replace(/^ws/i, "http")).origin,
    agentName: env.AGENT_NAME ?? DEFAULT_AGENT_NAME,
    vendorAKey: secret(env.VENDOR_A_API_KEY),
    vendorBToken: secret(env.VENDOR_B_API_TOKEN),
    vendorABaseUrl: withoutSlash(env.VENDOR_A_BASE_URL ?? "https://api.openai.com/v1"),
    vendorBBaseUrl: withoutSlash(env.VENDOR_B_BASE_URL ?? "https://api.replicate.com/v1"),
    isDemo: false,
    sttProvider: env.STT_PROVIDER ?? "local",
    sttModel: env.STT_MODEL ?? "tiny",
    sttModelDir: path(env.STT_MODEL_DIR, posix.join(svcHome, "models")),
    sttModelBaseUrl: withoutSlash(
      env.STT_MODEL_BASE_URL ?? "https://huggingface.co/ggerganov/whisper.cpp/resolve/main"
    ),
    ffmpegCommand: env.FFMPEG_COMMAND?.includes("/") ? path(env.FFMPEG_COMMAND, "") : (env.FFMPEG_COMMAND ?? "ffmpeg"),
    freeBaseUrl: withoutSlash(
      env.FREE_BASE_URL ?? "wss://speech.platform.bing.com/consumer/speech/synthesize/readaloud/edge/v1"
    ),
    language: LANGUAGES.some((known) => known === language) ? language : "en",
    edgeVoiceGender: env.EDGE_VOICE_GENDER ?? "female",
    allowedOrigins: list(env.ALLOWED_ORIGINS).flatMap((entry) => normaliseOrigin(entry) ?? []),
    cspConnectExtra: list(env.CSP_CONNECT_EXTRA, /\s+/).flatMap(connectSource),
    wsAllowedHosts: [
      ...DEFAULT_WS_HOSTS,
      ...list(env.WS_ALLOWED_HOSTS).map((host) => host.toLowerCase().replace(/^\[|\]$/g, ""))
    ],
    relay: env.RELAY ?? "on",
    trustedProxies: env.TRUSTED_PROXIES === undefined ? DEFAULT_TRUSTED_PROXIES : entriesOf(env.TRUSTED_PROXIES),
    authEnabled: isTrue(env.SVC_AUTH),
    passwordHash: secret(env.SVC_PASSWORD_HASH),
    sessionSecret: secret(env.SVC_SESSION_SECRET),
    sessionTtlMs: env.SVC_SESSION_TTL ?? 2_592_000_000,
    allowInsecure: isTrue(env.SVC_ALLOW_INSECURE),
    instance: env.SVC_INSTANCE,
    hsts: env.HSTS ?? "subdomains",
    fileBrowserRoot: env.FILE_BROWSER_ROOT === undefined ? undefined : path(env.FILE_BROWSER_ROOT, ""),
    memoryPath: path(env.MEMORY_PATH, posix.join(workspace, "MEMORY.md")),
    memoryDir: path(env.MEMORY_DIR, posix.join(workspace, "memory")),
    sessionsDir: env.SESSIONS_DIR === undefined ? undefined : path(env.SESSIONS_DIR, ""),
    usageFile: path(env.USAGE_FILE, posix.join(gatewayHome, "token-usage.json")),
    voicePhrasesPath: path(env.SVC_VOICE_PHRASES_PATH, posix.join(svcHome, "voice-phrases.json")),
    watchWorkspaceRecursive: isTrue(env.SVC_WATCH_WORKSPACE_RECURSIVE),
    workspaceRoot: env.WORKSPACE_ROOT === undefined ? undefined : path(env.WORKSPACE_ROOT, ""),
    ttsCacheTtlMs: env.TTS_CACHE_TTL_MS ?? 3_600_000,
    ttsCacheMax: env.TTS_CACHE_MAX ?? 200,
    agentADir: path(env.AGENT_A_DIR, "~/.codex"),
    agentABaseUrl: withoutSlash(env.AGENT_A_BASE_URL ?? "https://chatgpt.com/backend-api"),
    agentBCommand: env.AGENT_B_COMMAND ?? "claude",
    pushAllowedOrigins: list(env.PUSH_ALLOWED_ORIGINS).flatMap((item) => pushOrigin(item) ?? []),
    pushContact: env.PUSH_CONTACT ?? "mailto:agent-console@example.com",
    notifySink: env.NOTIFY_URL === undefined ? undefined : readNotifyUrl(env.NOTIFY_URL),
    notifySecret: secret(env.NOTIFY_SECRET),
    notifyPrivate: env.NOTIFY_PRIVATE === undefined || isTrue(env.NOTIFY_PRIVATE),
    logFormat: env.LOG_FORMAT ?? "text",
    logLevel: env.LOG_LEVEL ?? "info",
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ""),
    releasesUrl: env.SVC_RELEASES_URL,
    updateAllowedSigners: env.UPDATE_ALLOWED_SIGNERS === undefined ? undefined : path(env.UPDATE_ALLOWED_SIGNERS, ""),
    boardUrl: secret(env.BOARD_URL),
    userName: env.SVC_USER_NAME?.trim(),
    svcHome,
    backupDir: path(env.BACKUP_DIR, posix.join(svcHome, "backups")),
    backupEvery: env.BACKUP_EVERY ?? 0,
    backupKeep: env.BACKUP_KEEP ?? 7,
    gatewayHome,
    gatewayCli: env.GATEWAY_CLI?.includes("/") ? path(env.GATEWAY_CLI, "") : (env.GATEWAY_CLI ?? "openclaw"),
    installDir: base.installDir,
    webRoot: base.webRoot,
    development: env.NODE_ENV === "development"
  }
}
