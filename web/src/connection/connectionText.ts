import { approvalCommand } from "../../../src/contract/deviceApproval.ts"
import { say, sayCount } from "../core/language/say.ts"
import { CONSOLE_AWAY } from "../core/link/ApiClient.ts"
import { OFFLINE } from "../core/link/GatewayLink.ts"
import { pendingRequest } from "../core/link/gatewayStatus.ts"
import type { GatewayStatus, LinkState } from "../core/link/linkTypes.ts"

/** The state of the gateway link in one or two words. */
export const connectionLabel = (link: LinkState): string => {
  switch (link.phase) {
    case "ready":
      return say("Connected")
    case "connecting":
      return link.attempt > 1 ? say("Reconnecting…") : say("Connecting…")
    case "waiting":
      return say("Reconnecting…")
    case "gaveUp":
      return say("Not connected")
    case "unapproved":
      return say("Waiting for approval")
    case "refused":
      return say("Gateway refused")
    case "unauthorized":
      return say("Signed out")
    case "closed":
      return say("Closed")
  }
}

/** What the banner below every screen says. */
interface Banner {
  readonly tone: "warning" | "danger"
  readonly title: string
  readonly detail: string | null
  /** The label of the button that tries right away. */
  readonly retry: string | null
  /** The button loads the address again instead. */
  readonly reloads?: true
}

/** Whole seconds until a moment, never below zero. */
const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1000))

/** What to do with the command that approves the console or lists pending approvals. */
export const approvalSteps = (requestId: string | null): string =>
  requestId === null
    ? say(
        "Run this in a terminal on the gateway's machine, then run “openclaw devices approve” with the request ID it shows. This page then connects automatically."
      )
    : say("Run this in a terminal on the gateway's machine. This page then connects automatically.")

/** What a person runs on the gateway's machine to let this page in; null while there is nothing to run. */
export const commandToRun = (link: LinkState, server: GatewayStatus | null, signsIn = true): string | null =>
  link.phase === "unapproved" && signsIn ? approvalCommand(pendingRequest(link, server)) : null

/** The first attempt, which hasn't taken long yet. */
const isFresh = ({ attempt, message }: LinkState) => attempt <= 1 && message === null

/** Why nothing from the gateway can be shown yet; null while it is just connecting, and once it has connected. */
export const waitingNote = (link: LinkState, server: GatewayStatus | null): string | null => {
  switch (link.phase) {
    case "unapproved":
      return say("Waiting for approval on the gateway.")
    case "refused":
      return link.message
    case "connecting":
      if (isFresh(link)) return null
      break
    case "waiting":
    case "gaveUp":
      break
    default:
      return null
  }
  return (server?.gateway === "unreachable" ? server.reason : null) ?? link.message ?? say("Not connected yet.")
}

/** The gateway's events arrive, but not those of the console's server. */
const NOT_LIVE: Banner = {
  tone: "warning",
  title: say("Live updates are interrupted. Reconnecting…"),
  detail: say("What's shown may be out of date. What you type is kept."),
  retry: null
}

/** A proxy shows its own page when the address is reloaded, and an installed app has no other button for that. */
const INTERCEPTED: Banner = {
  tone: "danger",
  title: say("Something between this browser and the console answers in its place."),
  detail: say(
    "It may be the sign-in of a proxy or of this network. Reload to see it; what you type is kept, and this page goes on by itself once the console can be reached."
  ),
  retry: say("Reload"),
  reloads: true
}

/** A page the console doesn't sign in for has no device that could be approved. */
const NOT_SIGNED_IN: Banner = {
  tone: "danger",
  title: say("The gateway doesn't give this page any permissions."),
  detail: say(
    "The console doesn't sign in to the gateway for this page. Open it on the console's own computer, or turn on sign-in with SVC_AUTH=true."
  ),
  retry: say("Try again")
}

/** What decides, besides the link's state, what the banner says. */
interface BannerFacts {
  readonly server?: GatewayStatus | null
  /** Whether the console's server signs in to the gateway for this page. */
  readonly signsIn?: boolean
  /** Whether the server's events arrive, or have only been away for a moment. */
  readonly isLive?: boolean
  /** Whether something else answers in the console's place. */
  readonly isIntercepted?: boolean
  /** Whether the console itself can be reached, as far as this page knows. */
  readonly hasConsole?: boolean
}

/** What to say about an interrupted connection, or one that was never made; null if there is nothing to say. */
export const connectionBanner = (
  link: LinkState,
  now: number,
  wasConnected: boolean,
  { server = null, signsIn = true, isLive = true, hasConsole = true, isIntercepted = false }: BannerFacts = {}
): Banner | null => {
  if (isIntercepted) return INTERCEPTED
  const trouble = wasConnected || !hasConsole ? say("Connection lost.") : say("No connection to the gateway yet.")
  // The link leads through the console: while that is away, nothing is known of the gateway.
  const reason = hasConsole || link.message === OFFLINE ? link.message : CONSOLE_AWAY
  switch (link.phase) {
    case "waiting": {
      const seconds = link.nextAttemptAt === null ? 0 : secondsUntil(link.nextAttemptAt, now)
      return {
        tone: "warning",
        title:
          seconds === 0
            ? say("{trouble} Trying again…", { trouble })
            : say("{trouble} Next attempt in {seconds} s.", { trouble, seconds }),
        detail: reason,
        retry: wasConnected ? say("Reconnect now") : say("Try now")
      }
    }
    case "connecting":
      return isFresh(link)
        ? null
        : {
            tone: "warning",
            title:
              link.attempt > 1
                ? say("{trouble} Trying again…", { trouble })
                : say("{trouble} Still trying…", { trouble }),
            detail: reason,
            retry: null
          }
    case "gaveUp":
      return {
        tone: "danger",
        title: sayCount(link.attempt, "No connection after {count} attempt.", "No connection after {count} attempts."),
        detail: reason,
        retry: wasConnected ? say("Reconnect") : say("Try again")
      }
    case "unapproved":
      if (!signsIn) return NOT_SIGNED_IN
      return {
        tone: "warning",
        title: say("The gateway needs to approve this console once."),
        detail: approvalSteps(pendingRequest(link, server)),
        retry: say("Try now")
      }
    case "refused":
      return {
        tone: "danger",
        title: say("The gateway refused the connection."),
        detail: link.message,
        retry: say("Try again")
      }
    case "ready":
      return isLive ? null : NOT_LIVE
    case "unauthorized":
    case "closed":
      return null
  }
}

/**
 * Why the gateway's waiting items are unknown; null while they are known. The console's server reads it, so its own
 * link counts; the page's link only stands in until the server has said how that is.
 */
export const unknownWaiting = (link: LinkState, server: GatewayStatus | null): string | null => {
  if (server === null) return waitingNote(link, null)
  if (server.approval !== undefined) return say("Waiting for approval on the gateway.")
  if (server.gateway === "ok" && server.reason === null) return null
  return server.reason ?? say("The console can't reach the gateway.")
}
