import { waitingNote } from "../connection/connectionText.ts"
import { say } from "../core/language/say.ts"
import type { GatewayStatus, LinkState } from "../core/link/linkTypes.ts"

/**
 * Why nobody can tell what waits at the gateway; null while that is known. The console's server reads it, so its own
 * link counts; the page's link only stands in until the server has said how that is.
 */
export const unknownWaiting = (link: LinkState, server: GatewayStatus | null): string | null => {
  if (server === null) return waitingNote(link, null)
  if (server.approval !== undefined) return say("Waiting for approval on the gateway.")
  if (server.gateway === "ok" && server.reason === null) return null
  return server.reason ?? say("The console can't reach the gateway.")
}
