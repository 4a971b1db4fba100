import { DateTime, Option } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import type { PushSubscription, QuietHours } from "../../contract/schema/push.ts"
import { isUrgent } from "./pushMessage.ts"

/** The result of one attempt. */
export type Verdict =
  | { readonly type: "sent" }
  /** The device no longer accepts notifications. */
  | { readonly type: "gone" }
  | {
      readonly type: "again"
      readonly afterMs: number
      readonly failure: Failure
      /** Whether the message may still have arrived. */
      readonly isUnclear: boolean
    }
  | {
      readonly type: "failed"
      readonly failure: Failure
      /** The service refused the message and will refuse the next one. */
      readonly isRefusal?: boolean
    }

/** The reason for a missing response. */
export type Silence = "unreachable" | "timeout" | "private"

/** After this many refusals in a row, a device gets nothing until it subscribes again. */
export const MOST_REFUSALS = 3

/** The explanation for such a device. */
export const BROKEN = failure("PUSH_DEVICE_DROPPED")

/** The explanation for a device that subscribed with another key than the console's current one. */
export const NEW_KEY = failure("PUSH_KEY_CHANGED")

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

/** Judges a response; `attempt` counts from 1. `service` names who responded, a host or `PUSH_SERVICE`. */
export const judgeResponse = (
  response: { readonly status: number; readonly retryAfter?: string | undefined },
  { attempt, now, service }: { readonly attempt: number; readonly now: number; readonly service: string }
): Verdict => {
  const { status, retryAfter } = response
  const afterMs = pauseMs(attempt, retryAfter, now)
  if (status >= 200 && status < 300) return { type: "sent" }
  if (status === 404 || status === 410) return { type: "gone" }
  if (status === 429) {
    return { type: "again", afterMs, failure: failure("PUSH_RATE_LIMITED", { service }), isUnclear: false }
  }
  if (status >= 500) {
    return { type: "again", afterMs, failure: failure("PUSH_SERVICE_FAILED", { service, status }), isUnclear: true }
  }
  if (status >= 300 && status < 400) {
    return { type: "failed", failure: failure("PUSH_REDIRECTED", { service, status }), isRefusal: true }
  }
  if (status === 413) return { type: "failed", failure: failure("PUSH_TOO_LARGE", { service }) }
  if (status === 401 || status === 403) {
    return { type: "failed", failure: failure("PUSH_KEY_REFUSED", { service, status }), isRefusal: true }
  }
  return { type: "failed", failure: failure("PUSH_REJECTED", { service, status }), isRefusal: true }
}

/** Judges an attempt without a response, which may have arrived. */
export const judgeSilence = (
  silence: Silence,
  { attempt, now, host }: { readonly attempt: number; readonly now: number; readonly host: string }
): Verdict => {
  const afterMs = pauseMs(attempt, undefined, now)
  switch (silence) {
    case "private":
      return { type: "failed", failure: failure("PUSH_PRIVATE_ADDRESS", { host }) }
    case "timeout":
      return { type: "again", afterMs, failure: failure("PUSH_TIMED_OUT", { host }), isUnclear: true }
    case "unreachable":
      return { type: "again", afterMs, failure: failure("PUSH_UNREACHABLE", { host }), isUnclear: true }
  }
}

const MINUTE_MS = 60_000

interface WallTime {
  readonly hour: number
  readonly minute: number
}

/** Reads `HH:MM`. */
const wallTime = (text: string): WallTime => {
  const [hour = 0, minute = 0] = text.split(":").map(Number)
  return { hour, minute }
}

const minutesOf = ({ hour, minute }: WallTime): number => hour * 60 + minute

/**
 * Returns the end of the quiet hours that contain `now`, in epoch milliseconds; `undefined` outside them. They include
 * `from` and exclude `to`; `to` before `from` spans midnight.
 */
export const quietUntil = (now: number, quiet: QuietHours | undefined): number | undefined => {
  const zone = quiet === undefined ? Option.none() : DateTime.zoneMakeNamed(quiet.zone)
  if (quiet === undefined || Option.isNone(zone)) return undefined
  const local = DateTime.makeZonedUnsafe(now, { timeZone: zone.value })
  const { hour, minute } = DateTime.toParts(local)
  const time = minutesOf({ hour, minute })
  const end = wallTime(quiet.to)
  const from = minutesOf(wallTime(quiet.from))
  const to = minutesOf(end)
  const isQuiet = from < to ? from <= time && time < to : from > to && (from <= time || time < to)
  if (!isQuiet) return undefined
  const endsToday = DateTime.setParts(local, { ...end, second: 0, millisecond: 0 })
  const ends = DateTime.toEpochMillis(time < to ? endsToday : DateTime.add(endsToday, { days: 1 }))
  // When clocks are set back, an end in the repeated hour may appear to be in the past.
  return ends > now ? ends : now + MINUTE_MS
}

/** The delay of items that aren't urgent, because somebody may see them in the console or they may end. */
const DELAY_MS = 10_000

/** How long a seen item needs no notification. */
const SEEN_MS = 30_000

/** The input for planning a delivery; times in epoch milliseconds. */
interface DeliveryFacts {
  readonly item: Pick<InboxItem, "kind" | "expiresAt">
  readonly device: Pick<PushSubscription, "kinds" | "quiet">
  readonly openedAt: number
  readonly now: number
  /** When a visible page last showed it. */
  readonly seenAt?: number | undefined
}

/** Returns when to send an item to a device (epoch milliseconds, never before `now`); `undefined` means never. */
export const deliveryTime = ({ item, device, openedAt, now, seenAt }: DeliveryFacts): number | undefined => {
  const { kind, expiresAt } = item
  if (!device.kinds.includes(kind)) return undefined
  if (expiresAt !== undefined && expiresAt <= now) return undefined
  if (seenAt !== undefined && seenAt > Math.min(openedAt, now - SEEN_MS)) return undefined
  // A clock that was set back must not delay the delivery.
  const at = openedAt > now || isUrgent(kind) ? now : Math.max(now, openedAt + DELAY_MS)
  const quietEnd = quietUntil(at, device.quiet)
  if (quietEnd === undefined) return at
  // An item that expires within the quiet hours can't wait for their end.
  return expiresAt !== undefined && expiresAt <= quietEnd ? at : quietEnd
}

/**
 * Returns when the next attempt is due (epoch milliseconds, never before `now`), from the time of the last one and the
 * pause. A clock that was set back must not delay it.
 */
export const retryTime = (
  { triedAt, pauseMs }: { readonly triedAt: number; readonly pauseMs: number },
  now: number
): number => (triedAt > now ? now : Math.max(now, triedAt + pauseMs))
