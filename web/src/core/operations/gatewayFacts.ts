import type { UpdateNotice } from "../../../../src/contract/schema/machine.ts"
import { asSentence } from "../common/phrases.ts"
import { say } from "../language/say.ts"
import { failureText } from "../link/failureText.ts"
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

export const readUpdate = ({
  current,
  installable,
  latest,
  reason,
  updateAvailable,
  why
}: UpdateNotice): UpdateView => ({
  current,
  latest,
  isNewer: updateAvailable,
  canInstall: installable,
  reason: failureText(reason ?? null, why)
})

/**
 * What is known about newer versions; ends with a colon where the update command follows. Why nobody knows is for whoever
 * looks after the machine, and stands apart.
 */
export const updateNews = ({ latest, isNewer, canInstall, reason }: Omit<UpdateView, "current">): string => {
  if (latest === null && !canInstall) return say("This copy doesn't get updates.")
  if (latest === null) {
    const failed = say("Couldn't check for updates.")
    return say("{failed} To check and install, run this on the console's machine:", { failed })
  }
  if (!isNewer)
    return canInstall
      ? say("You have the latest version. To install future updates, run this on the console's machine:")
      : say("You have the latest version.")
  if (canInstall)
    return say("Version {latest} is available. To install it, run this on the console's machine:", { latest })
  return reason === null
    ? say("Version {latest} is available, but can't be installed automatically.", { latest })
    : say("Version {latest} is available, but can't be installed automatically: {reason}.", {
        latest,
        reason: reason.replace(/[.。]$/, "")
      })
}

/**
 * A reason as a sentence, and the command that it ends with, which the server has between backticks; an ellipsis there
 * stands for what only the reader knows, and isn't part of what is copied.
 */
export const reasonParts = (reason: string): { readonly text: string; readonly command: string | null } => {
  const [, text, command] = /^([^`]+?):?\s*`([^`]+?)(?:\s*…)?`$/.exec(reason) ?? []
  return text === undefined || command === undefined
    ? { text: asSentence(reason.replaceAll("`", "")), command: null }
    : { text: asSentence(`${text}:`), command }
}

/** The gateway's state, in a word and a sentence. */
export interface GatewayView {
  readonly tone: "ok" | "busy" | "bad"
  readonly word: string
  /** Null if the word says it all. */
  readonly detail: string | null
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
      word: say("Partly connected"),
      detail: server.reason ?? say("This page can reach the gateway, but the console's server can't.")
    }
  switch (link.phase) {
    case "ready":
      return { tone: "ok", word: say("Connected"), detail: null }
    case "connecting":
      if (isFirstTry(link))
        return { tone: "busy", word: say("Checking…"), detail: say("Waiting for the gateway's first answer.") }
      return {
        tone: "busy",
        word: say("Connecting…"),
        detail: link.message ?? server?.reason ?? say("Connecting to the gateway…")
      }
    case "waiting":
      return {
        tone: "busy",
        word: say("Reconnecting…"),
        detail: link.message ?? server?.reason ?? say("The connection was lost. Reconnecting automatically.")
      }
    case "unapproved":
      return { tone: "bad", word: say("Not approved"), detail: say("The gateway needs to approve this console once.") }
    case "refused":
      return { tone: "bad", word: say("Refused"), detail: link.message ?? say("The gateway refused the connection.") }
    default:
      return {
        tone: "bad",
        word: say("Not connected"),
        detail: link.message ?? server?.reason ?? say("Not connected to the gateway.")
      }
  }
}

/** The median of some measurements; null without any. */
export const median = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
