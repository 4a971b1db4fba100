import { keyParts } from "../../contract/qualifiedKey.ts"

/** Which gateways a client may see. */
export interface Reach {
  readonly isEverything: boolean
  readonly isNothing: boolean
  readonly has: (gatewayId: string) => boolean
  /** Whether a session is one of these gateways'. */
  readonly hasSession: (sessionKey: string) => boolean
}

/** Everything: the client is signed in, or on the console's machine. */
export const EVERYTHING: Reach = { isEverything: true, isNothing: false, has: () => true, hasSession: () => true }

/** The gateways whose token the client has. */
export const reachOf = (gateways: ReadonlySet<string>): Reach => ({
  isEverything: false,
  isNothing: gateways.size === 0,
  has: (id) => gateways.has(id),
  hasSession: (key) => gateways.has(keyParts(key).gatewayId)
})
