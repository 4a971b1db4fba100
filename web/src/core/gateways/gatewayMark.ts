import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import type { GatewayName } from "../link/apiTypes.ts"

/** Colours of the marks; more gateways than these share some, and are told apart by their letters. */
const COLOURS = 6

/** What tells a gateway's sessions apart from those of the others. */
export interface GatewayMark {
  readonly name: string
  /** The first letter of its name. */
  readonly letter: string
  /** From 0 to 5. */
  readonly colour: number
}

/** The mark of a gateway; null while there's only one. */
export function markOf(gateways: ReadonlyArray<GatewayName> | null, gatewayId: string): GatewayMark | null {
  const index = gateways?.findIndex(({ id }) => id === gatewayId) ?? -1
  const name = gateways?.[index]?.name
  return name === undefined ? null : { name, letter: [...name][0]?.toUpperCase() ?? "", colour: index % COLOURS }
}

/** The gateway that a session's key names. */
export const gatewayOfKey = (key: string): string => keyParts(key).gatewayId
