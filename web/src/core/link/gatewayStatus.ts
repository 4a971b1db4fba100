import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { safeRequestId } from "../../../../src/contract/deviceApproval.ts"
import type { Why } from "../../../../src/contract/failure.ts"
import { say } from "../language/say.ts"
import { failureText } from "./failureText.ts"
import type { GatewayStatus, LinkPhase, LinkState } from "./linkTypes.ts"

/** Nothing answers at the gateway's address. The server's sentences name variables; the page has buttons for that. */
const AWAY: ReadonlySet<string> = new Set(["NOTHING_LISTENING", "HOST_NOT_FOUND", "UNREACHABLE"])

const isAway = (why: Why | undefined): why is Why => why !== undefined && AWAY.has(why.code)

const awayText = ({ values }: Why): string =>
  say("Can't reach your gateway at {address}.", { address: values?.address ?? "" })

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
  reason: isAway(why) ? awayText(why) : failureText(reason ?? null, why),
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
