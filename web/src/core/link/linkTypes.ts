import type * as Answer from "../../../../src/contract/schema/gateway.ts"
import type { Readable } from "../common/Observable.ts"

/**
 * `connecting` until the gateway said hello, `ready`, `waiting` for the next attempt, `gaveUp` after 50 attempts,
 * `unauthorized` if the console requires a login, `unapproved` until a person has approved the console's device on
 * the gateway, `refused` if the gateway said no for another reason, `closed` after `dispose()`.
 */
export type LinkPhase =
  | "connecting"
  | "ready"
  | "waiting"
  | "gaveUp"
  | "unauthorized"
  | "unapproved"
  | "refused"
  | "closed"

export interface LinkState {
  readonly phase: LinkPhase
  /** Attempts since the last working link; 0 while the link works. */
  readonly attempt: number
  /** Epoch milliseconds of the next attempt while `waiting`. */
  readonly nextAttemptAt: number | null
  /** One sentence for people: what happened and what to do. Null while all is well. */
  readonly message: string | null
  /** The request to approve while `unapproved`, if the gateway named it. */
  readonly requestId?: string
}

/** What the gateway said when it let the link in. */
export interface GatewayHello {
  /** 3 or 4. */
  readonly protocol: number
  readonly serverVersion: string
  readonly scopes: ReadonlyArray<string> | null
  /** Methods the gateway lists; a few existing ones aren't listed. */
  readonly methods: ReadonlySet<string>
  readonly mainSessionKey: string
  /** When the gateway's process started, in epoch milliseconds of this browser's clock; null if it doesn't say. */
  readonly startedAt: number | null
  readonly tickIntervalMs: number
  /** Bytes; a larger frame ends the connection. */
  readonly maxPayload: number
}

/** A gateway event as it arrived on the current link. */
export interface GatewayEventFrame {
  readonly event: string
  readonly payload: unknown
  readonly seq: number | null
}

export interface GatewayLink {
  readonly state: Readable<LinkState>
  /** Null while the link is down; a new object for every connection. */
  readonly hello: Readable<GatewayHello | null>
  /** Calls a gateway method (default limit 15 s). Rejects with a `GatewayCallError` only. */
  request(method: string, params: object, options?: { readonly timeoutMs?: number }): Promise<unknown>
  onEvent(listener: (frame: GatewayEventFrame) => void): () => void
  /** Reports a jump in the event numbers: something was missed or left out. */
  onGap(listener: () => void): () => void
  connect(): void
  /** Ends a wait, a refusal or giving up, and tries right away; the attempt count restarts. */
  retryNow(): void
  /** A token a person typed, only used if the server doesn't sign in itself. Kept in memory only. */
  setToken(token: string | null): void
  /** Ends the link until `connect()`. */
  close(): void
  dispose(): void
}

/** The server's report on its own link to the gateway. */
export interface GatewayStatus extends Omit<Answer.GatewayStatus, "reason"> {
  readonly reason: string | null
}
