import type { EventData, EventName } from "../../../../src/contract/ConsoleEvent.ts"
import type { AuthStatus } from "../../../../src/contract/schema/access.ts"
import type { Budget } from "../../../../src/contract/schema/budget.ts"
import type { ErrorAnswer } from "../../../../src/contract/schema/failure.ts"
import type { InboxItem } from "../../../../src/contract/schema/inbox.ts"
import type * as Machine from "../../../../src/contract/schema/machine.ts"
import type { Version } from "../../../../src/contract/schema/machine.ts"
import type { Task } from "../../../../src/contract/schema/task.ts"
import type { Readable } from "../common/Observable.ts"

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
  /** What the console says beside it; some conflicts have the latest card, the circle of cards or what a card waits for, the item that somebody else decided, or the budget that is there already. */
  readonly body: FailureBody | null
}

interface FailureBody extends Partial<ErrorAnswer> {
  readonly latest?: Task
  readonly path?: ReadonlyArray<string>
  readonly waitsFor?: Task["waitsFor"]
  readonly budget?: Budget
  readonly item?: InboxItem
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
  /**
   * Asks for an answer of the type that the contract gives it; `read` makes of it what the page keeps. Page and server
   * come from one build, so nothing is checked again; null says that this isn't an answer to the question after all.
   */
  request<Answer, A>(
    method: HttpMethod,
    path: string,
    read: (answer: Answer) => A | null,
    options?: RequestOptions
  ): Promise<ApiResult<A>>
  authStatus(): Promise<ApiResult<AuthStatus>>
  /** Whether the console accepts changes from this page's address; true if nobody says. */
  isKnownAddress(): Promise<boolean>
  login(password: string): Promise<ApiResult<true>>
  /** Whether the sign-out outlasts a restart of the console. */
  logout(): Promise<ApiResult<boolean>>
  connectDefaults(): Promise<ApiResult<ConnectDefaults>>
  serverInfo(): Promise<ApiResult<Machine.ServerInfo>>
  version(): Promise<ApiResult<Version>>
  /** The gateway's token, for a console without sign-in on another machine. Kept in memory only. */
  setToken(token: string): void
  /** Called on every 401 response of the console (but not for a wrong password at login). */
  onUnauthorized(listener: () => void): () => void
  /** Called when something between this browser and the console has answered in its place. */
  onForeign(listener: () => void): () => void
  /** Called with the build of each answer of the console's own that names one. */
  onBuild(listener: (build: string) => void): () => void
}

/** A message of `/api/events`. */
export interface ServerEvent<Name extends EventName = EventName> {
  readonly event: Name
  readonly data: EventData[Name]
  readonly ts: number
}

/** The type of a method, so that listeners of one event can be kept beside those of another. */
export type EventListener<Name extends EventName = EventName> = { notify(event: ServerEvent<Name>): void }["notify"]

export interface EventStream {
  readonly connected: Readable<boolean>
  on<Name extends EventName>(event: Name, listener: EventListener<Name>): () => void
  start(): void
  stop(): void
}
