import type { UpdateNotice } from "../../../../src/contract/answers/MachineAnswers.ts"
import { fieldsOf, filledText } from "../common/decode.ts"
import type { GatewayStatus, LinkState } from "../link/linkTypes.ts"

/** Whether a newer version of the console is available. */
export interface UpdateView {
  readonly current: string
  /** Null if nobody knows. */
  readonly latest: string | null
  readonly isNewer: boolean
  /** The update command can install a version. */
  readonly canInstall: boolean
  /** Why nobody knows, or why it can't, in half a sentence. */
  readonly reason: string | null
}

export const readUpdate = (body: unknown): UpdateView | null => {
  const fields = fieldsOf<UpdateNotice>(body)
  const current = filledText(fields.current)
  if (current === null) return null
  return {
    current,
    latest: filledText(fields.latest),
    isNewer: fields.updateAvailable === true,
    canInstall: fields.installable !== false,
    reason: filledText(fields.reason)
  }
}

const RUN_THIS = "run this on the console's machine:"

/** What is known about newer versions; ends with a colon where the update command follows. */
export const updateNews = ({ latest, isNewer, canInstall, reason }: Omit<UpdateView, "current">): string => {
  const why = reason === null ? "" : `: ${reason}`
  if (latest === null)
    return `Couldn't check for updates${why}.${canInstall ? ` To check and install, ${RUN_THIS}` : ""}`
  if (!isNewer) return `You have the latest version.${canInstall ? ` To install future updates, ${RUN_THIS}` : ""}`
  return canInstall
    ? `Version ${latest} is available. To install it, ${RUN_THIS}`
    : `Version ${latest} is available, but can't be installed automatically${why}.`
}

/** The gateway's state, in a word and a sentence. */
export interface GatewayView {
  readonly tone: "ok" | "busy" | "bad"
  readonly word: string
  readonly detail: string
}

/** The page has just begun to connect: nothing is known yet, and nothing is wrong. */
export const isFirstTry = ({ phase, attempt, message }: LinkState): boolean =>
  phase === "connecting" && attempt <= 1 && message === null

/**
 * The connection from this page to the gateway has two parts: the console's server, and the page's own link through
 * it.
 */
export const gatewayView = (link: LinkState, server: Pick<GatewayStatus, "gateway" | "reason"> | null): GatewayView => {
  if (link.phase === "ready" && server?.gateway === "unreachable")
    return {
      tone: "busy",
      word: "Partly connected",
      detail: server.reason ?? "This page can reach the gateway, but the console's server can't."
    }
  switch (link.phase) {
    case "ready":
      return { tone: "ok", word: "Connected", detail: "The gateway is responding." }
    case "connecting":
      if (isFirstTry(link))
        return { tone: "busy", word: "Checking…", detail: "Waiting for the gateway's first answer." }
      return {
        tone: "busy",
        word: "Connecting",
        detail: link.message ?? server?.reason ?? "Connecting to the gateway…"
      }
    case "waiting":
      return {
        tone: "busy",
        word: "Reconnecting",
        detail: link.message ?? server?.reason ?? "The connection was lost. Reconnecting automatically."
      }
    case "unapproved":
      return { tone: "bad", word: "Not approved", detail: "The gateway needs to approve this console once." }
    case "refused":
      return { tone: "bad", word: "Refused", detail: link.message ?? "The gateway refused the connection." }
    default:
      return {
        tone: "bad",
        word: "Not connected",
        detail: link.message ?? server?.reason ?? "Not connected to the gateway."
      }
  }
}

/** The median of some measurements; null without any. */
export const median = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
