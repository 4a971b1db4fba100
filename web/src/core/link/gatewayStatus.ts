import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { safeRequestId } from "../../../../src/contract/deviceApproval.ts"
import { failureText } from "./failureText.ts"
import type { GatewayStatus, LinkPhase, LinkState } from "./linkTypes.ts"

/** Reads the data of `status.changed`. */
export const readGatewayStatus = ({
  approval,
  gateway,
  reason,
  since,
  why
}: EventData["status.changed"]): GatewayStatus => ({
  gateway,
  since,
  reason: failureText(reason ?? null, why),
  ...(approval === undefined ? {} : { approval: { requestId: safeRequestId(approval.requestId) ?? null } })
})

/** Whether the latest status of the console server's own link is a reason for the page to try right away. */
export const mayTryAgain = (phase: LinkPhase, { gateway, reason }: GatewayStatus): boolean => {
  if (gateway !== "ok") return false
  // A gateway that answers may still refuse, and if it refuses the page it refuses the server as well.
  if (phase === "refused" || phase === "unapproved") return reason === null
  return phase === "waiting" || phase === "gaveUp"
}

/** The request a person has to approve: the last one the server heard of, otherwise the one this page was told. */
export const pendingRequest = (link: LinkState, server: GatewayStatus | null): string | null =>
  server?.approval?.requestId ?? link.requestId ?? null
