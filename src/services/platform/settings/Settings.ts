import { Context, Layer, type Redacted } from "effect"
import type { NotifySink } from "./settingAddresses.ts"

/** All settings, decoded once at the start. */
export interface SettingsShape {
  /** Whether this is the demo, which works without what a real gateway's console needs. */
  readonly isDemo: boolean
  /** HTTP port; 0 asks the system for a free one. */
  readonly port: number
  /** HTTPS port, used only when `certs/cert.pem` and `certs/key.pem` exist. */
  readonly sslPort: number
  /** Address the listeners bind to. */
  readonly host: string
  /** The path below which everything is served, such as `/console`; empty for the root of a host. */
  readonly basePath: string
  /** The gateway's shared token; `undefined` only until the embedded gateway has started. */
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
  /** Whether browsers get connections to gateways through `/ws`. */
  readonly relay: "on" | "off"
  /** Peers whose forwarded-client headers are trusted: addresses and CIDR ranges. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly authEnabled: boolean
  readonly passwordHash: Redacted.Redacted<string> | undefined
  /** 32 bytes in hex; `undefined` means one is generated for this start only. */
  readonly sessionSecret: Redacted.Redacted<string> | undefined
  readonly sessionTtlMs: number
  readonly allowInsecure: boolean
  /** Distinguishes this console's cookie from those of others with the same host name; by default its port does. */
  readonly instance: string | undefined
  /** The names for which browsers then require HTTPS: this host name and its subdomains, this host name, or none. */
  readonly hsts: "subdomains" | "host" | "off"
  /** Root of the file browser when set; then nothing is excluded and deletes are permanent. */
  readonly fileBrowserRoot: string | undefined
  readonly memoryPath: string
  readonly memoryDir: string
  /** `undefined` means every agent's folder under the gateway's home. */
  readonly sessionsDir: string | undefined
  readonly usageFile: string
  readonly voicePhrasesPath: string
  readonly watchWorkspaceRecursive: boolean
  readonly workspaceRoot: string | undefined
  readonly ttsCacheTtlMs: number
  readonly ttsCacheMax: number
  readonly agentADir: string
  /** Base address of the service that reports agent A's limits. */
  readonly agentABaseUrl: string
  /** Program that reports agent B's limits. */
  readonly agentBCommand: string
  /** Origins of push services besides the browsers' own. */
  readonly pushAllowedOrigins: ReadonlyArray<string>
  /** The contact for push services: `mailto:` or `https:`. */
  readonly pushContact: string
  /** The recipient of inbox items besides the devices. */
  readonly notifySink: NotifySink | undefined
  /** Signs the requests to a webhook; ntfy's access token. */
  readonly notifySecret: Redacted.Redacted<string> | undefined
  /** Notifications there only contain the kind of item. */
  readonly notifyPrivate: boolean
  /** The least severe lines that are written. */
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "none"
  /** One JSON object per line instead of readable text. */
  readonly logFormat: "text" | "json"
  /** The address for traces, metrics and logs (OTLP over HTTP); `undefined` sends none. */
  readonly otlpEndpoint: string | undefined
  /** The address of the latest release (JSON with `tag_name`); `undefined` means the git remote's code host. */
  readonly releasesUrl: string | undefined
  /** The file of keys that may sign versions (`ssh-keygen`'s allowed signers); `undefined` requires no signatures. */
  readonly updateAllowedSigners: string | undefined
  /** The PostgreSQL database of a board that several consoles share; `undefined` means the console's own file. */
  readonly boardUrl: Redacted.Redacted<string> | undefined
  /** The user's name on the board, if set. */
  readonly userName: string | undefined
  /** The service's own directory, 0700. */
  readonly svcHome: string
  /** Where the console puts the backups that it makes by itself. */
  readonly backupDir: string
  /** Hours from one of them to the next; 0 makes none. */
  readonly backupEvery: number
  /** How many of them are kept. */
  readonly backupKeep: number
  /** The gateway's dot-directory. */
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
export class Settings extends Context.Service<Settings, SettingsShape>()(
  "agent-console/services/platform/settings/Settings"
) {
  /** Already decoded settings, for the command line and tests. */
  static readonly layerOf = (settings: SettingsShape) => Layer.succeed(Settings, settings)
}
