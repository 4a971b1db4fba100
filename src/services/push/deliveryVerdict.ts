import { DateTime, Option } from "effect"

/** The result of one attempt. */
export type Verdict =
  | { readonly type: "sent" }
  /** The device no longer accepts notifications. */
  | { readonly type: "gone" }
  | {
      readonly type: "again"
      readonly afterMs: number
      readonly sentence: string
      /** Whether the message may still have arrived. */
      readonly isUnclear: boolean
    }
  | {
      readonly type: "failed"
      readonly sentence: string
      /** The service refused the message and will refuse the next one. */
      readonly isRefusal?: boolean
    }

/** The reason for a missing response. */
export type Silence = "unreachable" | "timeout" | "private"

const RENEW = "switch notifications off and on again on that device."

/** After this many refusals in a row, a device gets nothing until it subscribes again. */
export const MOST_REFUSALS = 3

/** The explanation for such a device. */
export const BROKEN = `Several notifications in a row were refused, so this device gets no more: ${RENEW}`

/** The explanation for a device that subscribed with another key than the console's current one. */
export const NEW_KEY = `The console has a new key for notifications, so this device gets none: ${RENEW}`

/** The maximum number of attempts. */
export const MAX_ATTEMPTS = 5

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Parses a Retry-After header, seconds or a date (RFC 9110 §10.2.3), into milliseconds. */
const askedPause = (header: string | undefined, now: number): number => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  return Option.match(/^[A-Z]/i.test(text) ? DateTime.make(text) : Option.none(), {
    onNone: () => 0,
    onSome: (time) => DateTime.toEpochMillis(time) - now
  })
}

/** Returns the pause before the next attempt: growing, at least the requested time, and bounded. */
export const pauseMs = (attempt: number, retryAfter: string | undefined, now: number): number => {
  const asked = askedPause(retryAfter, now)
  return Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS * 4 ** (attempt - 1), asked))
}

/** Judges a response; `attempt` counts from 1. `service` names who responded, such as "The push service". */
export const judgeResponse = (
  response: { readonly status: number; readonly retryAfter?: string | undefined },
  { attempt, now, service }: { readonly attempt: number; readonly now: number; readonly service: string }
): Verdict => {
  const { status, retryAfter } = response
  const afterMs = pauseMs(attempt, retryAfter, now)
  if (status >= 200 && status < 300) return { type: "sent" }
  if (status === 404 || status === 410) return { type: "gone" }
  if (status === 429) {
    const sentence = `${service} isn't accepting more notifications right now (429): try again later.`
    return { type: "again", afterMs, sentence, isUnclear: false }
  }
  if (status >= 500) {
    const sentence = `${service} failed (${status}), so the notification may not have arrived: try again later.`
    return { type: "again", afterMs, sentence, isUnclear: true }
  }
  if (status >= 300 && status < 400) {
    const sentence = `${service} redirected the notification (${status}), which isn't followed.`
    return { type: "failed", sentence, isRefusal: true }
  }
  if (status === 413) return { type: "failed", sentence: `${service} refused the notification: it's too large (413).` }
  if (status === 401 || status === 403) {
    const sentence = `${service} doesn't accept the console's key (${status}): ${RENEW}`
    return { type: "failed", sentence, isRefusal: true }
  }
  const sentence = `${service} rejected the notification (${status}): ${RENEW}`
  return { type: "failed", sentence, isRefusal: true }
}

/** Judges an attempt without a response, which may have arrived. */
export const judgeSilence = (
  silence: Silence,
  { attempt, now, host }: { readonly attempt: number; readonly now: number; readonly host: string }
): Verdict => {
  const afterMs = pauseMs(attempt, undefined, now)
  switch (silence) {
    case "private":
      return {
        type: "failed",
        sentence: `${host} leads to a private address, so nothing was sent: check the DNS of the console's machine.`
      }
    case "timeout":
      return {
        type: "again",
        afterMs,
        sentence: `${host} didn't respond within 10 seconds: try again later.`,
        isUnclear: true
      }
    case "unreachable":
      return {
        type: "again",
        afterMs,
        sentence: `Couldn't reach ${host}: check the internet connection of the console's machine.`,
        isUnclear: true
      }
  }
}
