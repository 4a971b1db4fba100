import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { safeRequestId } from "../../../../src/contract/deviceApproval.ts"
import { fieldsOf, filledText, numberOf, recordOf } from "../common/decode.ts"
import { failureText } from "./failureText.ts"
import type { GatewayStatus, LinkPhase, LinkState } from "./linkTypes.ts"

/** Reads the data of `status.changed`; null for anything else. */
export const readGatewayStatus = (data: unknown, now: number): GatewayStatus | null => {
  const { approval, gateway, reason, since, why } = fieldsOf<EventData["status.changed"]>(data)
  if (gateway !== "ok" && gateway !== "unreachable") return null
  const pending = recordOf<NonNullable<EventData["status.changed"]["approval"]>>(approval)
  return {
    gateway,
    since: numberOf(since) ?? now,
    reason: failureText(filledText(reason), why),
    ...(pending === null ? {} : { approval: { requestId: safeRequestId(pending.requestId) ?? null } })
  }
}

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
