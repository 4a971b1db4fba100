import type { AuthStatus } from "../../../../src/contract/answers/AccessAnswers.ts"
import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type * as Machine from "../../../../src/contract/answers/MachineAnswers.ts"
import type { EventName } from "../../../../src/contract/ConsoleEvent.ts"
import type { Readable } from "../common/readable.ts"

export type ApiFailureKind =
  | "offline"
  /** Something between this browser and the console answered in its place. */
  | "foreign"
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
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** One sentence for people. */
  readonly message: string
  /** Milliseconds to wait, on `rate_limited` only. */
  readonly retryAfterMs: number | null
  /** The decoded JSON body, for responses that carry data such as a version conflict. */
  readonly body: unknown
}

export type ApiResult<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: ApiFailure }

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

export interface RequestOptions {
  readonly body?: unknown
  /** Milliseconds, default 20 000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** The request survives the page, unless it's too large for that: browsers allow 64 KiB for all of them together. */
  readonly keepalive?: boolean
}

/** One of several gateways. */
export type GatewayName = NonNullable<Machine.ConnectDefaults["gateways"]>[number]

/** The token is never told. */
export interface ConnectDefaults extends Omit<Machine.ConnectDefaults, "token" | "gateways"> {
  /** All of them, the primary first; empty while it's the only one. */
  readonly gateways: ReadonlyArray<GatewayName>
}

/** JSON over HTTP to the console's own server. No method ever throws or rejects. */
export interface ApiClient {
  /** `decode` returns null for an unusable body, which becomes a `shape` failure. */
  request<A>(
    method: HttpMethod,
    path: string,
    decode: (body: unknown) => A | null,
    options?: RequestOptions
  ): Promise<ApiResult<A>>
  authStatus(): Promise<ApiResult<AuthStatus>>
  login(password: string): Promise<ApiResult<true>>
  /** Whether the sign-out outlasts a restart of the console. */
  logout(): Promise<ApiResult<boolean>>
  connectDefaults(): Promise<ApiResult<ConnectDefaults>>
  serverInfo(): Promise<ApiResult<Machine.ServerInfo>>
  version(): Promise<ApiResult<Answers["GET /api/version"]>>
  /** Called on every 401 response of the console (but not for a wrong password at login). */
  onUnauthorized(listener: () => void): () => void
  /** Called when something between this browser and the console has answered in its place. */
  onForeign(listener: () => void): () => void
}

/** A message of `/api/events`; its data is told apart by the name, see `EventData`. */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
  readonly ts: number
}

export interface EventStream {
  readonly connected: Readable<boolean>
  on(event: EventName, listener: (event: ServerEvent) => void): () => void
  start(): void
  stop(): void
}
