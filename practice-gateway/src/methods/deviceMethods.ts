import { Effect, Schema } from "effect"
import { pairedView, pendingView } from "../access/DeviceTable.ts"
import type { Gateway } from "../Gateway.ts"
import { mayUse } from "../server/Connection.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method, NoParams } from "./method.ts"

const RequestId = Schema.Struct({ requestId: Schema.String })
const DeviceId = Schema.Struct({ deviceId: Schema.String })
const DeviceRole = Schema.Struct({ deviceId: Schema.String, role: Schema.String })
const SCOPE = "operator.pairing"

/** Tells the operators how a request ended. */
export const resolved = (gateway: Gateway, requestId: string, deviceId: string, decision: "approved" | "rejected") =>
  gateway.hub.emit(
    { event: "device.pair.resolved", payload: { requestId, deviceId, decision, ts: gateway.now() } },
    (connection) => mayUse(connection, SCOPE)
  )

/** Approves an open pairing request and tells the operators; `undefined` when there is none. */
export const approveDevice = (gateway: Gateway, requestId: string) => {
  const device = gateway.devices.approve(requestId, gateway.now(), gateway.newToken)
  if (device !== undefined) resolved(gateway, requestId, device.deviceId, "approved")
  return device
}

/** Rejects an open pairing request and tells the operators; `undefined` when there is none. */
export const rejectDevice = (gateway: Gateway, requestId: string) => {
  gateway.devices.prune(gateway.now())
  const pending = gateway.devices.pending.get(requestId)
  if (pending === undefined) return undefined
  gateway.devices.pending.delete(requestId)
  resolved(gateway, requestId, pending.deviceId, "rejected")
  return pending
}

const disconnect = (gateway: Gateway, deviceId: string) => {
  if (!gateway.generation.guardsDevices) return
  for (const connection of gateway.hub.connections)
    if (connection.session?.request.device?.id === deviceId) gateway.hub.close(connection, 4001, "device removed")
}

const unknownRequest = invalidRequest("unknown requestId")
const unknownDevice = invalidRequest("unknown deviceId")

/** `device.pair.*` and `device.token.*`. */
export const deviceMethods: ReadonlyArray<GatewayMethod> = [
  method("device.pair.list", SCOPE, NoParams, (_, { gateway }) =>
    Effect.sync(() => {
      gateway.devices.prune(gateway.now())
      return {
        pending: [...gateway.devices.pending.values()].map(pendingView),
        paired: [...gateway.devices.paired.values()].map(pairedView)
      }
    })
  ),
  method("device.pair.approve", SCOPE, RequestId, ({ requestId }, { gateway }) =>
    Effect.suspend(() => {
      const device = approveDevice(gateway, requestId)
      return device === undefined
        ? Effect.fail(unknownRequest)
        : Effect.succeed({ requestId, device: pairedView(device) })
    })
  ),
  method("device.pair.reject", SCOPE, RequestId, ({ requestId }, { gateway }) =>
    Effect.suspend(() => {
      const pending = rejectDevice(gateway, requestId)
      if (pending === undefined) return Effect.fail(unknownRequest)
      return Effect.succeed({ requestId, deviceId: pending.deviceId })
    })
  ),
  method("device.pair.remove", SCOPE, DeviceId, ({ deviceId }, { gateway }) =>
    Effect.suspend(() => {
      if (!gateway.devices.paired.delete(deviceId)) return Effect.fail(unknownDevice)
      disconnect(gateway, deviceId)
      return Effect.succeed({ deviceId })
    })
  ),
  method("device.token.rotate", SCOPE, DeviceRole, ({ deviceId, role }, { gateway, connection }) =>
    Effect.suspend(() => {
      const device = gateway.devices.setToken(deviceId, gateway.newToken())
      if (device === undefined) return Effect.fail(unknownDevice)
      const own = connection.session?.request.device?.id === deviceId
      return Effect.succeed({
        deviceId,
        role,
        scopes: device.scopes,
        rotatedAtMs: gateway.now(),
        ...(!gateway.generation.guardsDevices || own ? { token: device.token } : {})
      })
    })
  ),
  method("device.token.revoke", SCOPE, DeviceRole, ({ deviceId, role }, { gateway }) =>
    Effect.suspend(() => {
      const device = gateway.devices.setToken(deviceId, undefined)
      if (device === undefined) return Effect.fail(unknownDevice)
      disconnect(gateway, deviceId)
      return Effect.succeed({ deviceId, role, revokedAtMs: gateway.now() })
    })
  )
]
