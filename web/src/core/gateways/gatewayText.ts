import { say } from "../language/say.ts"
import type { GatewayRow } from "./GatewaysStore.ts"

/** How a gateway stands, in a few words. */
export const stateText = ({ state, device }: Pick<GatewayRow, "state" | "device">): string => {
  if (device === "pending") return say("Waits for approval")
  switch (state) {
    case "ok":
      return say("Connected")
    case "connecting":
      return say("Connecting…")
    case "unreachable":
      return say("Can't be reached")
    case "refused":
      return say("Refused")
  }
}

/** The look of the badge that says how a gateway stands. */
export const stateTone = ({ state, device }: Pick<GatewayRow, "state" | "device">): string => {
  if (device === "pending") return "is-warning"
  if (state === "connecting") return ""
  return state === "ok" ? "is-good" : "is-failed"
}

/** What to run on the gateway's machine, if that is what it needs. */
export const approvalCommand = ({ device, requestId }: Pick<GatewayRow, "device" | "requestId">): string | null =>
  device === "pending" && requestId !== null ? `openclaw devices approve ${requestId}` : null

/** Where the console reaches a gateway, which is the same place whether it was entered as http or as ws. */
export const socketAddress = (url: string): string => url.replace(/^http/i, "ws")

const placeOf = (address: string): string => {
  try {
    return new URL(address.trim()).host
  } catch {
    return address.trim()
  }
}

/** Whether an address leads to another host or port, which needs the token of the gateway there. */
export const needsToken = (before: string, after: string): boolean => placeOf(before) !== placeOf(after)
