import { Effect, Result, Schema } from "effect"
import {
  type Admission,
  admitConnect,
  type ConnectRefusal,
  closeReason,
  startingRefusal
} from "../access/admitConnect.ts"
import { pendingView } from "../access/DeviceTable.ts"
import type { Gateway } from "../Gateway.ts"
import { ALL_METHODS, listedMethods } from "../methods/allMethods.ts"
import { resolved } from "../methods/deviceMethods.ts"
import { healthPayload, presenceList } from "../methods/systemMethods.ts"
import { ConnectParams, type ConnectRequest, errorFrame, okFrame, RequestFrame } from "../wire/frames.ts"
import { type GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { EVENT_NAMES, MAX_BUFFERED, MAX_FRAME, MAX_HANDSHAKE_FRAME, TICK_INTERVAL_MS } from "../wire/limits.ts"
import { paramIssues } from "../wire/paramIssues.ts"
import { type Connection, mayUse } from "./Connection.ts"

const decodeFrame = Schema.decodeUnknownResult(RequestFrame, { errors: "all", onExcessProperty: "error" })
const decodeConnect = Schema.decodeUnknownResult(ConnectParams, { errors: "all", onExcessProperty: "error" })
const parseJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const WithId = Schema.Struct({ id: Schema.String.check(Schema.isMinLength(1)) })
const readId = Schema.decodeUnknownResult(WithId)

/** First frame of a connection: the nonce the client signs. */
export const challengeFrame = (gateway: Gateway, connection: Connection): string =>
  JSON.stringify({
    type: "event",
    event: "connect.challenge",
    payload: gateway.generation.event("connect.challenge", {
      nonce: connection.nonce,
      ts: gateway.now(),
      capabilities: ["model-catalog-snapshot"]
    })
  })

const hello = (gateway: Gateway, connection: Connection, admission: Admission) => {
  const { protocol, version } = gateway.generation
  const { device, method, role, scopes } = admission
  const payload = {
    type: "hello-ok",
    protocol,
    server: {
      version,
      buildId: `${version}-demo`,
      bootId: gateway.bootId,
      controlUiBuildSource: "bundled",
      connId: connection.id
    },
    features: { methods: listedMethods(gateway.generation), events: EVENT_NAMES, capabilities: [] },
    snapshot: {
      suspension: { phase: "accepting" },
      presence: presenceList(gateway),
      health: {},
      stateVersion: { presence: 1, health: 1 },
      uptimeMs: gateway.now() - gateway.startedAt,
      appliedConfigHash: "demo",
      sessionDefaults: {
        defaultAgentId: "main",
        modelConfigured: true,
        ownership: "sole",
        selectionRequired: false,
        mainKey: "main",
        mainSessionKey: "agent:main:main",
        scope: "per-sender"
      },
      configPath: "openclaw.json",
      stateDir: ".openclaw",
      authMode: "token"
    },
    auth: {
      method,
      role,
      scopes,
      recoveryScope: gateway.newId(),
      ...(device === undefined ? {} : { recoveryMigrationAllowed: true }),
      ...(device?.token === undefined ? {} : { deviceToken: device.token, issuedAtMs: device.approvedAtMs })
    },
    policy: {
      maxPayload: MAX_FRAME,
      maxBufferedBytes: MAX_BUFFERED,
      tickIntervalMs: TICK_INTERVAL_MS,
      attachments: { maxBytes: 19_464_192, maxImageBytes: 6_291_456 },
      allowedSessionVisibilities: ["shared", "read-only", "suggest", "draft"],
      hasMultipleSessionSharingIdentities: false
    }
  }
  return gateway.generation.hello(payload, () => healthPayload(gateway))
}

const refuse = (
  gateway: Gateway,
  connection: Connection,
  id: string,
  { refusal, closeCode, asked }: ConnectRefusal
) => {
  const said = gateway.generation.refusal(refusal)
  gateway.hub.send(connection, errorFrame(id, said))
  const reason = closeCode === 1013 ? "gateway starting" : closeReason(said, gateway.generation.namesRequests)
  gateway.hub.close(connection, closeCode, reason)
  if (asked === undefined || !asked.created) return
  if (gateway.generation.announcesPresence)
    for (const { requestId, deviceId } of asked.superseded) resolved(gateway, requestId, deviceId, "rejected")
  gateway.hub.emit({ event: "device.pair.requested", payload: pendingView(asked.request) }, (other) =>
    mayUse(other, "operator.pairing")
  )
}

const sendHealth = (gateway: Gateway, connection: Connection) =>
  gateway.hub.emit(
    { event: "health", payload: healthPayload(gateway), stateVersion: { presence: 1, health: 1 } },
    (other) => other === connection
  )

/** Tells readers who is currently connected. */
export const sendPresence = (gateway: Gateway, except: Connection | undefined) => {
  if (!gateway.generation.announcesPresence) return
  gateway.hub.emit(
    { event: "presence", payload: { presence: presenceList(gateway) }, stateVersion: { presence: 1, health: 1 } },
    (other) => other !== except && mayUse(other, "operator.read")
  )
}

const connect = (gateway: Gateway, connection: Connection, id: string, request: ConnectRequest, starting: boolean) => {
  if (starting) return refuse(gateway, connection, id, startingRefusal)
  const { generation, token, devices, failures, newId, newToken } = gateway
  const { upgrade, nonce } = connection
  const now = gateway.now()
  const admitted = admitConnect({ generation, request, upgrade, nonce, token, devices, failures, now, newId, newToken })
  if (Result.isFailure(admitted)) return refuse(gateway, connection, id, admitted.failure)
  connection.session = { request, admission: admitted.success, since: now }
  gateway.hub.send(connection, okFrame(id, hello(gateway, connection, admitted.success)))
  if (!generation.announcesPresence) sendHealth(gateway, connection)
  sendPresence(gateway, connection)
}

const handshake = (gateway: Gateway, connection: Connection, frame: unknown, starting: boolean) => {
  const decoded = decodeFrame(frame)
  if (Result.isFailure(decoded)) return gateway.hub.close(connection, 1008, "invalid request frame")
  const { id, method, params: given } = decoded.success
  const reject = (message: string) =>
    refuse(gateway, connection, id, { refusal: invalidRequest(message), closeCode: 1008 })
  if (method !== "connect") return reject("invalid handshake: first request must be connect")
  const params = decodeConnect(given)
  return Result.isFailure(params)
    ? reject(`invalid connect params: ${paramIssues(params.failure.issue)}`)
    : connect(gateway, connection, id, params.success, starting)
}

const answer = (gateway: Gateway, connection: Connection, frame: typeof RequestFrame.Type): Effect.Effect<void> => {
  const { id, method: name, params } = frame
  const { generation } = gateway
  const refused = (refusal: GatewayRefusal) => gateway.hub.send(connection, errorFrame(id, generation.refusal(refusal)))
  const answered = (payload: unknown) => gateway.hub.send(connection, okFrame(id, generation.answer(name, payload)))
  const found = generation.lacks.has(name) ? undefined : ALL_METHODS.get(name)
  if (found === undefined) {
    refused(invalidRequest(`unknown method: ${name}`))
    return Effect.void
  }
  const client = connection.session?.request.device?.id ?? connection.id
  const exhausted = generation.limitsWrites ? gateway.writes.refusal(client, name, gateway.now()) : undefined
  if (exhausted !== undefined) {
    refused(exhausted)
    return Effect.void
  }
  return found
    .call(params, { gateway, connection, answerFirst: answered })
    .pipe(Effect.match({ onSuccess: answered, onFailure: refused }))
}

/**
 * Handles one client frame. A frame that isn't JSON is ignored after the handshake and closes the connection before it.
 */
export const receive = (
  gateway: Gateway,
  connection: Connection,
  text: string,
  options: { readonly starting: boolean }
): Effect.Effect<void> => {
  if (connection.closing) return Effect.void
  const size = Buffer.byteLength(text)
  if (size > (connection.session === undefined ? MAX_HANDSHAKE_FRAME : MAX_FRAME)) {
    gateway.hub.close(connection, 1009, "")
    return Effect.void
  }
  const parsed = parseJson(text)
  if (connection.session === undefined) {
    if (Result.isSuccess(parsed)) handshake(gateway, connection, parsed.success, options.starting)
    else gateway.hub.close(connection, 1000, "")
    return Effect.void
  }
  if (Result.isFailure(parsed)) return Effect.void
  const frame = decodeFrame(parsed.success)
  if (Result.isSuccess(frame)) return answer(gateway, connection, frame.success)
  const known = readId(parsed.success)
  const id = Result.isSuccess(known) ? known.success.id : "invalid"
  const issues = paramIssues(frame.failure.issue)
  gateway.hub.send(connection, errorFrame(id, invalidRequest(`invalid request frame: ${issues}`)))
  return Effect.void
}
