import type { Admission } from "../access/admitConnect.ts"
import type { UpgradeFacts } from "../access/upgradeFacts.ts"
import type { ConnectRequest, JsonObject } from "../wire/frames.ts"

/** The parts of a WebSocket the gateway uses. */
export interface GatewaySocket {
  /** `written` is called once the text and all before it have left the process, or cannot any more. */
  readonly send: (text: string, written?: () => void) => void
  readonly close: (code: number, reason: string) => void
  /** Closes the TCP connection without a close frame. */
  readonly terminate: () => void
  readonly ping: () => void
  /** Bytes accepted but not yet written. */
  readonly buffered: () => number
}

/** One client's connection, from the challenge to the close. */
export interface Connection {
  readonly id: string
  readonly socket: GatewaySocket
  readonly nonce: string
  readonly upgrade: UpgradeFacts
  /** Set once `connect` was accepted. */
  session: { readonly request: ConnectRequest; readonly admission: Admission; readonly since: number } | undefined
  /** Closing was asked for; nothing more is read. */
  closing: boolean
  /** Last event number on this connection. */
  seq: number
  /** `sessions.subscribe` was asked for. */
  subscribed: boolean
  /** Keys of `sessions.messages.subscribe`. */
  readonly messageKeys: Set<string>
}

const IMPLIED: Readonly<Record<string, ReadonlyArray<string>>> = {
  "operator.read": ["operator.write", "operator.admin"],
  "operator.write": ["operator.admin"],
  "operator.approvals": ["operator.admin"],
  "operator.questions": ["operator.admin"],
  "operator.pairing": ["operator.admin"]
}

/** Whether granted scopes cover one: write implies read, admin implies all others. */
export const coversScope = (granted: ReadonlyArray<string>, needed: string): boolean =>
  granted.includes(needed) || (IMPLIED[needed] ?? []).some((scope) => granted.includes(scope))

/** Whether a connection finished its handshake with a scope. */
export const mayUse = (connection: Connection, scope: string): boolean =>
  connection.session !== undefined && coversScope(connection.session.admission.scopes, scope)

/** Whether a connection asked for tool events. */
export const wantsTools = (connection: Connection): boolean =>
  connection.session?.request.caps?.includes("tool-events") === true

/** Whether a connection may decide on commands, and has said that it can show them where that is needed. */
export const decidesOnCommands = (connection: Connection, needsCap: boolean): boolean => {
  const { client, caps } = connection.session?.request ?? {}
  if (!mayUse(connection, "operator.approvals")) return false
  return (
    !needsCap ||
    client?.id === "openclaw-control-ui" ||
    ["approvals", "exec-approvals"].some((cap) => caps?.includes(cap) === true)
  )
}

/** An event on its way to some connections. */
export interface OutgoingEvent {
  readonly event: string
  readonly payload: JsonObject
  /** `false` for an event sent to some only, which a generation may leave without a number. */
  readonly numbered?: boolean
  readonly stateVersion?: { readonly presence: number; readonly health: number }
}
