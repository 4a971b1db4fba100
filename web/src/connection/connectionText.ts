import type { LinkState } from "../core/types.ts"

/** How the connection is shown: a word for the sidebar and how urgent it is. */
export interface ConnectionView {
  readonly tone: "ok" | "busy" | "bad"
  readonly label: string
}

/** The state of the link to the gateway in one or two words. */
export const connectionView = (link: LinkState): ConnectionView => {
  switch (link.phase) {
    case "ready":
      return { tone: "ok", label: "Connected" }
    case "connecting":
      return { tone: "busy", label: link.attempt > 1 ? "Reconnecting…" : "Connecting…" }
    case "waiting":
      return { tone: "busy", label: "Reconnecting…" }
    case "gaveUp":
      return { tone: "bad", label: "Not connected" }
    case "refused":
      return { tone: "bad", label: "Gateway refused" }
    case "unauthorized":
      return { tone: "bad", label: "Signed out" }
    case "closed":
      return { tone: "bad", label: "Closed" }
  }
}

/** What the banner above the composer says. */
export interface Banner {
  readonly tone: "warning" | "danger"
  readonly title: string
  readonly detail: string | null
  /** The label of the button that tries at once. */
  readonly retry: string | null
}

/** Whole seconds until a moment, never below zero. */
export const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1000))

/** What to tell about an interrupted connection, or one that never was there; null while there is nothing to tell. */
export const connectionBanner = (link: LinkState, now: number, wasConnected: boolean): Banner | null => {
  const trouble = wasConnected ? "Connection lost." : "No connection to the gateway yet."
  switch (link.phase) {
    case "waiting": {
      const seconds = link.nextAttemptAt === null ? 0 : secondsUntil(link.nextAttemptAt, now)
      return {
        tone: "warning",
        title: seconds === 0 ? `${trouble} Trying again…` : `${trouble} Next attempt in ${seconds} s.`,
        detail: link.message,
        retry: wasConnected ? "Reconnect now" : "Try now"
      }
    }
    case "connecting":
      return link.attempt > 1
        ? { tone: "warning", title: `${trouble} Trying again…`, detail: link.message, retry: null }
        : null
    case "gaveUp":
      return {
        tone: "danger",
        title: `No connection after ${link.attempt} attempts.`,
        detail: link.message,
        retry: wasConnected ? "Reconnect" : "Try again"
      }
    case "refused":
      return { tone: "danger", title: "The gateway refused the connection.", detail: link.message, retry: "Try again" }
    case "ready":
    case "unauthorized":
    case "closed":
      return null
  }
}
