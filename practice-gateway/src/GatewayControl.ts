import { Duration, Effect } from "effect"
import type { DevicePolicy } from "./access/DeviceTable.ts"
import { type Spent, spend } from "./demo/seedUsage.ts"
import type { Gateway } from "./Gateway.ts"
import { approveDevice, rejectDevice } from "./methods/deviceMethods.ts"
import type { GatewaySocket } from "./server/Connection.ts"
import type { ListenError } from "./server/listen.ts"
import type { JsonObject } from "./wire/frames.ts"

/** An upgrade or plain request as received. */
export interface SeenRequest {
  readonly kind: "upgrade" | "http"
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** A text frame as received, with its connection's number. */
export interface SeenFrame {
  readonly connectionId: string
  readonly text: string
}

/** Controls that make the gateway behave well or badly, for tests and for demonstrating faults. */
export interface GatewayControl {
  /** How unpaired devices are treated from now on; `refuse` also rejects paired ones. */
  readonly setDevicePolicy: (policy: DevicePolicy) => Effect.Effect<void>
  /** Which device signature payloads are accepted. */
  readonly setSignatures: (versions: ReadonlyArray<"v2" | "v3">) => Effect.Effect<void>
  /** Approves every waiting device and returns how many. */
  readonly approveDevices: Effect.Effect<number>
  /** Rejects every waiting device, which will ask again, and returns how many. */
  readonly rejectDevices: Effect.Effect<number>
  /** Answers `connect` with 1013 `gateway starting` for a while; open connections stay. */
  readonly startingFor: (duration: Duration.Input) => Effect.Effect<void>
  /** Stops as a service does: `shutdown` event, close 1012, port closed. State is kept. */
  readonly stop: Effect.Effect<void>
  /** Opens the same port again. */
  readonly start: Effect.Effect<void, ListenError>
  readonly restart: Effect.Effect<void, ListenError>
  /** Cuts every connection without a close frame and returns how many. */
  readonly dropConnections: Effect.Effect<number>
  readonly closeConnections: (code: number, reason: string) => Effect.Effect<number>
  /** `false`: connections are accepted and frames read, but nothing is ever sent, not even over HTTP. */
  readonly setResponding: (answering: boolean) => Effect.Effect<void>
  /** Sends many events of a given size to every connection, waiting for slow clients; returns when all are written. */
  readonly flood: (options: { readonly frames: number; readonly bytes: number }) => Effect.Effect<void>
  /** Sends raw text to every connection, before or after its handshake. */
  readonly sendText: (text: string) => Effect.Effect<void>
  /** Sends an event to every connection that has completed its handshake. */
  readonly emit: (event: string, payload: JsonObject) => Effect.Effect<void>
  /** Adds a message to a session that no person wrote, as the gateway or another session would. */
  readonly inject: (sessionKey: string, text: string, provenance: JsonObject) => Effect.Effect<void>
  /** Notes what sessions took that the gateway no longer has. */
  readonly spend: (sessions: ReadonlyArray<Spent>) => Effect.Effect<void>
  /** Tools of `POST /tools/invoke` that are allowed beyond the usual ones; `memory_store` stands for its plugin too. */
  readonly allowTools: (tools: ReadonlyArray<string>) => Effect.Effect<void>
  readonly connectionCount: Effect.Effect<number>
  /** Requests and upgrades seen, oldest first, at most 1000. */
  readonly requests: Effect.Effect<ReadonlyArray<SeenRequest>>
  /** Frames received, oldest first, at most 1000 of at most 64 KiB each. */
  readonly frames: Effect.Effect<ReadonlyArray<SeenFrame>>
}

/** State that only the controls change. */
export interface ControlState {
  startingUntil: number
  answering: boolean
  readonly requests: Array<SeenRequest>
  readonly frames: Array<SeenFrame>
}

/** The running listener, for the controls. */
export interface Listener {
  readonly start: Effect.Effect<void, ListenError>
  readonly stop: Effect.Effect<void>
}

const FLOOD_BUFFER = 4 * 1024 * 1024

/** Sends text; if much is already queued, returns only once this has been written too. */
const sendPaced = (socket: GatewaySocket, text: string): Effect.Effect<void> =>
  socket.buffered() <= FLOOD_BUFFER
    ? Effect.sync(() => socket.send(text))
    : Effect.callback<void>((resume) => socket.send(text, () => resume(Effect.void)))

/** Builds one gateway's controls. */
export const makeControl = (gateway: Gateway, state: ControlState, listener: Listener): GatewayControl => {
  const { hub, devices } = gateway
  return {
    setDevicePolicy: (policy) =>
      Effect.sync(() => {
        devices.policy = policy
      }),
    setSignatures: (versions) =>
      Effect.sync(() => {
        devices.signatures = versions
      }),
    approveDevices: Effect.sync(() => {
      const ids = [...devices.pending.keys()]
      for (const id of ids) approveDevice(gateway, id)
      return ids.length
    }),
    rejectDevices: Effect.sync(() => {
      const ids = [...devices.pending.keys()]
      for (const id of ids) rejectDevice(gateway, id)
      return ids.length
    }),
    startingFor: (duration) =>
      Effect.sync(() => {
        state.startingUntil = gateway.now() + Duration.toMillis(duration)
      }),
    stop: listener.stop,
    start: listener.start,
    // Whoever asked may go away in the middle: the gateway comes back all the same.
    restart: Effect.uninterruptible(Effect.andThen(listener.stop, listener.start)),
    dropConnections: Effect.sync(() => {
      const count = hub.connections.size
      for (const { socket } of hub.connections) socket.terminate()
      return count
    }),
    closeConnections: (code, reason) =>
      Effect.sync(() => {
        const count = hub.connections.size
        hub.closeAll(code, reason)
        return count
      }),
    setResponding: (answering) =>
      Effect.sync(() => {
        state.answering = answering
        hub.silent = !answering
      }),
    flood: ({ frames, bytes }) =>
      Effect.forEach(
        [...hub.connections],
        Effect.fnUntraced(function* (connection) {
          const filler = "x".repeat(bytes)
          for (let index = 0; index < frames; index += 1) {
            if (connection.closing || !hub.connections.has(connection)) return
            const event = { event: "demo.flood", payload: { index, filler } }
            yield* sendPaced(connection.socket, hub.encode(event, connection))
          }
        }),
        { concurrency: "unbounded", discard: true }
      ),
    sendText: (text) =>
      Effect.sync(() => {
        for (const { socket } of hub.connections) socket.send(text)
      }),
    emit: (event, payload) => Effect.sync(() => hub.emit({ event, payload }, () => true)),
    inject: (sessionKey, text, provenance) =>
      Effect.sync(() => {
        const session = gateway.store.open(sessionKey)
        const runId = gateway.newId()
        const facts = { ...gateway.store.stamp(session), timestamp: gateway.now(), runId }
        const message = { ...facts, role: "user", text, images: [], provenance } as const
        gateway.store.append(session, message)
        gateway.sessions.message(session, message, runId)
      }),
    spend: (sessions) => Effect.sync(() => spend(gateway, sessions)),
    allowTools: (tools) =>
      Effect.sync(() => {
        gateway.allowedTools.clear()
        for (const tool of tools) gateway.allowedTools.add(tool)
      }),
    connectionCount: Effect.sync(() => hub.connections.size),
    requests: Effect.sync(() => [...state.requests]),
    frames: Effect.sync(() => [...state.frames])
  }
}
