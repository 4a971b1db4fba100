const DAY = 86_400_000
const SLOT = 900_000

/**
 * Turns moments into wall-clock times of one IANA zone and back. Wall-clock times are "naive" milliseconds: what
 * `Date.UTC` gives for the figures on the wall. Made for one computation; it remembers every offset it looked up.
 */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat
  private readonly known = new Map<number, number>()

  private constructor(format: Intl.DateTimeFormat) {
    this.format = format
  }

  /** The clock of a zone; null for a name that is none. */
  static of(zone: string): ZoneClock | null {
    try {
      return new ZoneClock(
        new Intl.DateTimeFormat("en-US", {
          timeZone: zone,
          hourCycle: "h23",
          year: "numeric",
          month: "numeric",
          day: "numeric",
          hour: "numeric",
          minute: "numeric",
          second: "numeric"
        })
      )
    } catch {
      return null
    }
  }

  /** What the wall clock shows at a moment. */
  naive(at: number): number {
    return at + this.offset(at)
  }

  /**
   * The moment at which the wall clock shows a time: the first of two where clocks are set back, and as much later as
   * the clocks jump where the time is skipped.
   */
  moment(naive: number): number {
    const before = this.offset(naive - DAY)
    const after = this.offset(naive + DAY)
    const first = naive - Math.max(before, after)
    if (this.offset(first) === Math.max(before, after)) return first
    const second = naive - Math.min(before, after)
    return this.offset(second) === Math.min(before, after) ? second : naive - before
  }

  /** Milliseconds the wall clock is ahead of UTC; zones change it at whole quarters of an hour only. */
  private offset(at: number): number {
    const slot = Math.floor(at / SLOT)
    const known = this.known.get(slot)
    if (known !== undefined) return known
    const parts = new Map(this.format.formatToParts(slot * SLOT).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
    const offset = shown - slot * SLOT
    this.known.set(slot, offset)
    return offset
  }
}

/** The zones a browser knows, the given ones first; each once. */
export const zoneNames = (...first: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...first.filter((zone) => zone !== ""), "UTC", ...Intl.supportedValuesOf("timeZone")])
]

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
