import type { GatewayRow } from "./GatewaysStore.ts"

/** How a gateway stands, in a few words. */
export const stateText = ({ state, device }: Pick<GatewayRow, "state" | "device">): string => {
  if (device === "pending") return "Waits for approval"
  switch (state) {
    case "ok":
      return "Connected"
    case "connecting":
      return "Connecting…"
    case "unreachable":
      return "Can't be reached"
    case "refused":
      return "Refused"
  }
}

/** What to run on the gateway's machine, if that is what it needs. */
export const approvalCommand = ({ device, requestId }: Pick<GatewayRow, "device" | "requestId">): string | null =>
  device === "pending" && requestId !== null ? `openclaw devices approve ${requestId}` : null

const placeOf = (address: string): string => {
  try {
    return new URL(address.trim()).host
  } catch {
    return address.trim()
  }
}

/** Whether an address leads to another host or port, which needs the token of the gateway there. */
export const needsToken = (before: string, after: string): boolean => placeOf(before) !== placeOf(after)
