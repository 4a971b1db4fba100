import { qualifiedKey } from "../../../contract/qualifiedKey.ts"
import type { GatewayEntry } from "../../../contract/schema/gateway.ts"
import type { GatewayAbilities, LiveGateway } from "../../../contract/schema/live.ts"
import type { GatewayConnection } from "../client/GatewayClient.ts"

/** Since this generation of the wire protocol, gateways keep marks, list archived sessions apart and take messages for a running response. */
const NEWER_PROTOCOL = 4

const VERSION_METHODS = ["sessions.branches.list", "sessions.branches.switch"]

/** What a gateway can do, by its connection. */
export const abilitiesOf = (connection: GatewayConnection | undefined): GatewayAbilities => {
  const isNewer = (connection?.protocol ?? 0) >= NEWER_PROTOCOL
  const has = (method: string) => connection?.methods.has(method) === true
  return {
    rewind: has("sessions.rewind"),
    versions: VERSION_METHODS.every(has),
    steer: isNewer,
    marks: isNewer,
    archive: isNewer
  }
}

/** A gateway with what its link says about it; its sessions have the keys that they have among those of all gateways. */
export const liveEntry = (
  entry: GatewayEntry,
  facts: {
    readonly connection: GatewayConnection | undefined
    readonly retryAt: number | undefined
    readonly startedAt: number | undefined
  }
): LiveGateway => {
  const { connection, retryAt, startedAt } = facts
  return {
    ...entry,
    can: abilitiesOf(connection),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(connection?.mainKey === undefined ? {} : { mainKey: qualifiedKey(entry.id, connection.mainKey) }),
    ...(connection?.maxPayload === undefined ? {} : { maxPayload: connection.maxPayload })
  }
}
