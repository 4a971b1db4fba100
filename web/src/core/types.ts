import type { ApprovalsStore } from "./ApprovalsStore.ts"
import type { ChatStore, SessionsStore } from "./chatTypes.ts"
import type { UserSettings } from "./settings/settingValues.ts"

/** The reading half of an `Observable`: what a screen may do with published state. */
export interface Readable<T> {
  get(): T
  /** Calls back on every change until the returned function is called; not called with the present value. */
  subscribe(listener: (value: T) => void): () => void
}

/** Why an action on a session did not work; `message` is a sentence for people. */
export type ActionResult<A = true> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly message: string }

// ---------------------------------------------------------------- link to the gateway

/**
 * `connecting` until the gateway said hello, `ready`, `waiting` for the next attempt, `gaveUp` after 50 attempts,
 * `unauthorized` when the console wants a login, `refused` when the gateway said no, `closed` after `dispose()`.
 */
export type LinkPhase = "connecting" | "ready" | "waiting" | "gaveUp" | "unauthorized" | "refused" | "closed"

export interface LinkState {
  readonly phase: LinkPhase
  /** Attempts since the last working link; 0 while the link works. */
  readonly attempt: number
  /** Epoch milliseconds of the next attempt while `waiting`. */
  readonly nextAttemptAt: number | null
  /** One sentence for people: what happened and what to do. Null while all is well. */
  readonly message: string | null
}

/** What the gateway said when it let the link in. */
export interface GatewayHello {
  /** 3 or 4. */
  readonly protocol: number
  readonly serverVersion: string
  readonly scopes: ReadonlyArray<string> | null
  /** Methods the gateway lists; a few that exist are not listed. */
  readonly methods: ReadonlySet<string>
  readonly mainSessionKey: string
  readonly tickIntervalMs: number
  /** Bytes; a larger frame ends the connection. */
  readonly maxPayload: number
}

/** An event of the gateway as it arrived on the link that is up now. */
export interface GatewayEventFrame {
  readonly event: string
  readonly payload: unknown
  readonly seq: number | null
}

export interface GatewayLink {
  readonly state: Readable<LinkState>
  /** Null while the link is not up; a new object for every connection. */
  readonly hello: Readable<GatewayHello | null>
  /** Calls a gateway method (default limit 15 s). Rejects with a `GatewayCallError` only. */
  request(method: string, params: object, options?: { readonly timeoutMs?: number }): Promise<unknown>
  onEvent(listener: (frame: GatewayEventFrame) => void): () => void
  /** Tells when event numbers jumped: something was missed or left out. */
  onGap(listener: () => void): () => void
  connect(): void
  /** Ends a wait, a refusal or giving up and tries at once; the count of attempts starts anew. */
  retryNow(): void
  /** A token a person typed, used only where the server does not sign in by itself. Kept in memory only. */
  setToken(token: string | null): void
  /** Ends the link until `connect()`. */
  close(): void
  dispose(): void
}

// ---------------------------------------------------------------- HTTP

export type ApiFailureKind =
  | "offline"
  | "timeout"
  | "unauthorized"
  | "forbidden"
  | "rate_limited"
  | "not_found"
  | "conflict"
  | "invalid"
  | "too_large"
  | "gateway"
  | "server"
  | "shape"

export interface ApiFailure {
  readonly kind: ApiFailureKind
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** One sentence for people. */
  readonly message: string
  /** Milliseconds to wait, on `rate_limited` only. */
  readonly retryAfterMs: number | null
  /** The decoded JSON body, for answers that carry data such as a version conflict. */
  readonly body: unknown
}

export type ApiResult<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: ApiFailure }

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

export interface RequestOptions {
  readonly body?: unknown
  /** Milliseconds, default 20 000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** The request outlives the page; for the last words of a page that is being left. */
  readonly keepalive?: boolean
}

export interface AuthStatus {
  readonly authEnabled: boolean
  readonly authenticated: boolean
}

export interface ConnectDefaults {
  readonly wsUrl: string
  readonly agentName: string
  readonly authEnabled: boolean
  readonly serverSideAuth: boolean
}

export interface ServerInfo {
  readonly serverTime: number
  readonly gatewayStartedAt: number | null
  readonly timezone: string
  readonly agentName: string
}

/** JSON over HTTP to the console's own server. No method ever throws or rejects. */
export interface ApiClient {
  /** `decode` returns null for a body it cannot use, which becomes a `shape` failure. */
  request<A>(
    method: HttpMethod,
    path: string,
    decode: (body: unknown) => A | null,
    options?: RequestOptions
  ): Promise<ApiResult<A>>
  authStatus(): Promise<ApiResult<AuthStatus>>
  login(password: string): Promise<ApiResult<true>>
  logout(): Promise<ApiResult<true>>
  connectDefaults(): Promise<ApiResult<ConnectDefaults>>
  serverInfo(): Promise<ApiResult<ServerInfo>>
  version(): Promise<ApiResult<{ readonly version: string; readonly name: string }>>
  /** Called whenever an answer was 401 (not for a wrong password at login). */
  onUnauthorized(listener: () => void): () => void
}

/** `unknown` until the server answered; `offline` when it cannot be reached. */
export type AuthState = "unknown" | "offline" | "required" | "signedIn" | "notNeeded"

/** A message of `/api/events` (SPEC "Events"). */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
  readonly ts: number
}

export interface EventStream {
  readonly connected: Readable<boolean>
  /** Listens to one event name, or to `*` for all. */
  on(event: string, listener: (event: ServerEvent) => void): () => void
  start(): void
  stop(): void
}

// ---------------------------------------------------------------- small things

export interface SettingsStore {
  readonly state: Readable<UserSettings>
  update(change: Partial<UserSettings>): void
  /** Reads the saved settings again, after another tab changed them. */
  reload(): void
}

/** Unsent texts, one per session, kept over reloads. */
export interface DraftStore {
  get(sessionKey: string): string
  set(sessionKey: string, text: string): void
}

/** What the server said about its own link to the gateway (D34). */
export interface GatewayStatus {
  readonly gateway: "ok" | "unreachable"
  readonly since: number
  readonly reason: string | null
}

/** Everything behind the screens. Made by `createConsole()`. */
export interface Console {
  readonly link: GatewayLink
  readonly api: ApiClient
  readonly events: EventStream
  readonly sessions: SessionsStore
  readonly approvals: ApprovalsStore
  readonly settings: SettingsStore
  readonly drafts: DraftStore
  readonly auth: Readable<AuthState>
  readonly connectDefaults: Readable<ConnectDefaults | null>
  readonly gatewayStatus: Readable<GatewayStatus | null>
  /** The store of one session, made on first use; the ten used last are kept. */
  chat(sessionKey: string): ChatStore
  /** Asks for the login state and, where that allows it, connects everything. */
  start(): Promise<void>
  /** Signs in and connects; the failure's sentence otherwise. */
  login(password: string): Promise<ActionResult>
  logout(): Promise<void>
  dispose(): void
}
