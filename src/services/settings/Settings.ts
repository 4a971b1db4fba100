import { Context, Layer, type Redacted } from "effect"

/** Every setting of the program, decoded once at the start (SPEC "Configuration variables", D1). */
export interface SettingsShape {
  /** HTTP port; 0 asks the system for a free one. */
  readonly port: number
  /** HTTPS port, used only when `certs/cert.pem` and `certs/key.pem` exist. */
  readonly sslPort: number
  /** Address the listeners bind to. */
  readonly host: string
  /** The gateway's shared token; `undefined` only where the embedded gateway has not started yet. */
  readonly gatewayToken: Redacted.Redacted<string> | undefined
  /** Origin of the gateway's HTTP endpoint; its WebSocket address is the same with `ws`. */
  readonly gatewayUrl: string
  readonly agentName: string
  readonly vendorAKey: Redacted.Redacted<string> | undefined
  readonly vendorBToken: Redacted.Redacted<string> | undefined
  readonly vendorABaseUrl: string
  readonly vendorBBaseUrl: string
  readonly sttProvider: "local" | "vendor_a"
  readonly sttModel: string
  readonly sttModelDir: string
  /** Where local models are downloaded from: `<address>/ggml-<model>.bin`. */
  readonly sttModelBaseUrl: string
  /** Program that converts audio: a path, or a name looked up in PATH. */
  readonly ffmpegCommand: string
  /** WebSocket address of the free voices. */
  readonly freeBaseUrl: string
  /** One of the twelve voice languages; anything else falls back to `en`. */
  readonly language: string
  readonly edgeVoiceGender: "female" | "male"
  /** Extra CORS origins, normalised; `null` never among them. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Extra `connect-src` entries of the content security policy. */
  readonly cspConnectExtra: ReadonlyArray<string>
  /** Host names the WebSocket proxy may connect to, lower case, without brackets. */
  readonly wsAllowedHosts: ReadonlyArray<string>
  /** Peers whose forwarded-client headers count (D14). */
  readonly trustedProxies: ReadonlyArray<string>
  readonly authEnabled: boolean
  readonly passwordHash: Redacted.Redacted<string> | undefined
  /** 32 bytes in hex; `undefined` means one is made for this start only. */
  readonly sessionSecret: Redacted.Redacted<string> | undefined
  readonly sessionTtlMs: number
  readonly allowInsecure: boolean
  /** Root of the file browser when set; then nothing is excluded and deletes are permanent. */
  readonly fileBrowserRoot: string | undefined
  readonly memoryPath: string
  readonly memoryDir: string
  /** `undefined` means every agent's folder under the gateway's home (D60). */
  readonly sessionsDir: string | undefined
  readonly usageFile: string
  readonly voicePhrasesPath: string
  readonly watchWorkspaceRecursive: boolean
  readonly workspaceRoot: string | undefined
  readonly ttsCacheTtlMs: number
  readonly ttsCacheMax: number
  readonly agentADir: string
  /** Base address of the service that tells agent A's limits. */
  readonly agentABaseUrl: string
  /** Program that tells agent B's limits. */
  readonly agentBCommand: string
  /** One JSON object a line instead of text for people. */
  readonly logFormat: "text" | "json"
  /** Where traces, metrics and logs go (OTLP over HTTP); `undefined` means nowhere. */
  readonly otlpEndpoint: string | undefined
  /** Where the latest release is told as JSON with `tag_name`; `undefined` means the code host of the git remote. */
  readonly releasesUrl: string | undefined
  /** The service's own directory, 0700 (D1). */
  readonly svcHome: string
  /** The gateway's dot-directory (D1). */
  readonly gatewayHome: string
  /** The gateway's command-line tool: a path, or a name looked up in PATH. */
  readonly gatewayCli: string
  /** Where `.env` and `certs/` live: the directory the program was started in. */
  readonly installDir: string
  /** Folder of the built web app. */
  readonly webRoot: string
  /** `NODE_ENV=development`: verbose error log and `POST /api/events/test`. */
  readonly development: boolean
}

/** The decoded settings of this process. */
export class Settings extends Context.Service<Settings, SettingsShape>()("agent-console/services/settings/Settings") {
  /** Settings that are already decoded, as the command line and the tests have them. */
  static readonly layerOf = (settings: SettingsShape) => Layer.succeed(Settings, settings)
}
