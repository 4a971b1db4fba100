/** Which gateways a client may see. */
export interface Reach {
  readonly isEverything: boolean
  readonly isNothing: boolean
  readonly has: (gatewayId: string) => boolean
}

/** Everything: the client is signed in, or on the console's machine. */
export const EVERYTHING: Reach = { isEverything: true, isNothing: false, has: () => true }

/** The gateways whose token the client has. */
export const reachOf = (gateways: ReadonlySet<string>): Reach => ({
  isEverything: false,
  isNothing: gateways.size === 0,
  has: (id) => gateways.has(id)
})
