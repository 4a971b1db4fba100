import { shortNumber } from "../../core/common/numberText.ts"
import { pageLocale } from "../../core/language/say.ts"

/** The size of a drawing and its margins. */
export interface Plot {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A chart's drawing area in its own units; the picture scales with the column. */
export const PLOT = { width: 640, height: 280, left: 56, right: 16, top: 16, bottom: 36 } as const satisfies Plot

/** The one for a phone, where a wide drawing would be low and its text tiny. */
export const NARROW_PLOT = { width: 300, height: 170, left: 42, right: 2, top: 8, bottom: 26 } as const satisfies Plot

/** The one for a whole wide page, where the usual one would be as high as the window. */
export const WIDE_PLOT = { width: 1040, height: 300, left: 52, right: 2, top: 12, bottom: 32 } as const satisfies Plot

const innerWidth = ({ left, right, width }: Plot): number => width - left - right
const innerHeight = ({ bottom, height, top }: Plot): number => height - top - bottom
const STEPS = [1, 2, 2.5, 5, 10]

/** The value axis: round ticks that enclose all values. */
export interface ValueAxis {
  readonly min: number
  readonly max: number
  readonly ticks: ReadonlyArray<number>
}

/** A value axis of about five round ticks; `fromZero` keeps zero on it, as bars and areas need. */
export const valueAxis = (values: ReadonlyArray<number>, fromZero: boolean): ValueAxis => {
  const finite = values.filter(Number.isFinite)
  let min = finite.length === 0 ? 0 : Math.min(...finite)
  let max = finite.length === 0 ? 1 : Math.max(...finite)
  if (fromZero) {
    min = Math.min(min, 0)
    max = Math.max(max, 0)
  }
  if (max - min <= 1e-9 * Math.max(1, Math.abs(min), Math.abs(max))) max = min + Math.max(Math.abs(min), 1)
  const rough = (max - min) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find((candidate) => candidate * power >= rough) ?? 10)
  const first = Math.floor(min / step)
  const last = Math.ceil(max / step)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  return { min: ticks[0] ?? 0, max: ticks.at(-1) ?? 1, ticks }
}

/** Height of a value in the drawing. */
export const yOf = (axis: ValueAxis, value: number, plot: Plot = PLOT): number =>
  round(plot.top + innerHeight(plot) * (1 - (value - axis.min) / (axis.max - axis.min)))

/** Middle of the n-th of `count` positions on the axis; lines reach from edge to edge, bars get a band each. */
export const xOf = (index: number, count: number, kind: "edge" | "band", plot: Plot = PLOT): number => {
  const inner = innerWidth(plot)
  if (kind === "band") return round(plot.left + (inner * (index + 0.5)) / count)
  return round(plot.left + (count === 1 ? inner / 2 : (inner * index) / (count - 1)))
}

/** Width of one of `count` bars. */
export const barWidth = (count: number, plot: Plot = PLOT): number =>
  round(Math.min(56, (innerWidth(plot) / count) * 0.66))

/** A bar from zero to a value's height, round at its end only. */
export const barOutline = (x: number, zero: number, width: number, y: number): string => {
  const height = Math.max(1, Math.abs(zero - y))
  const way = y > zero ? 1 : -1
  const radius = Math.min(3, width / 2, height)
  const end = round(zero + way * height)
  const bend = round(end - way * radius)
  const left = round(x)
  const right = round(x + width)
  return `M${left} ${zero}V${bend}Q${left} ${end} ${round(x + radius)} ${end}H${round(x + width - radius)}Q${right} ${end} ${right} ${bend}V${zero}Z`
}

/** A line through the values. */
export const linePath = (axis: ValueAxis, values: ReadonlyArray<number>): string =>
  values
    .map((value, index) => `${index === 0 ? "M" : "L"}${xOf(index, values.length, "edge")} ${yOf(axis, value)}`)
    .join("")

/** The area between the values and zero. */
export const areaPath = (axis: ValueAxis, values: ReadonlyArray<number>): string => {
  if (values.length === 0) return ""
  const base = yOf(axis, Math.max(axis.min, Math.min(0, axis.max)))
  const end = xOf(values.length - 1, values.length, "edge")
  return `${linePath(axis, values)}L${end} ${base}L${xOf(0, values.length, "edge")} ${base}Z`
}

/** A slice of a pie: its outline around (0, 0) with radius 1, and its share. */
interface Slice {
  readonly path: string
  readonly share: number
}

/** A pie's slices, clockwise from the top; negative values count as zero. */
export const pieSlices = (values: ReadonlyArray<number>): ReadonlyArray<Slice> => {
  const sizes = values.map((value) => (Number.isFinite(value) ? Math.max(value, 0) : 0))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let from = 0
  return sizes.map((size) => {
    const share = total === 0 ? 0 : size / total
    const to = from + share
    const path =
      share >= 0.9999
        ? "M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z"
        : `M0 0L${rim(from)}A1 1 0 ${share > 0.5 ? 1 : 0} 1 ${rim(to)}Z`
    from = to
    return { path, share }
  })
}

/** Which labels of a crowded axis are shown so that they don't overlap. */
export const shownLabels = (labels: ReadonlyArray<string>, plot: Plot = PLOT): ReadonlyArray<number> => {
  const longest = Math.max(1, ...labels.map((label) => Math.min(label.length, 14)))
  const room = Math.max(2, Math.floor(innerWidth(plot) / (longest * 7 + 14)))
  const every = Math.ceil(labels.length / room)
  return labels.map((_, index) => index).filter((index) => index % every === 0)
}

/** The n-th of `count` bands at a place across the drawing, 0 to 1; the nearest one beside it. */
export const bandAt = (place: number, count: number, plot: Plot = PLOT): number =>
  Math.max(0, Math.min(count - 1, Math.floor(((place * plot.width - plot.left) / innerWidth(plot)) * count)))

/** A number on an axis with its unit, such as "$0.50" or "1.2M". */
export const tickText = (value: number, unit: string, locale: string = pageLocale): string => {
  const size = Math.abs(value)
  const digits =
    unit !== "" && value !== 0 && size < 1
      ? { minimumFractionDigits: 2, maximumFractionDigits: 6 }
      : { maximumSignificantDigits: 3 }
  const number = size >= 10_000 ? shortNumber(size, digits, locale) : new Intl.NumberFormat(locale, digits).format(size)
  const sign = value < 0 ? "-" : ""
  if (unit !== "$") return `${sign}${unit}${number}`
  // Some languages write the dollars behind the number.
  const dollars = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" })
  const isBehind = dollars.formatToParts(1)[0]?.type !== "currency"
  return isBehind ? `${sign}${number}\u00a0$` : `${sign}$${number}`
}

/** A number as shown on axes and in tables. */
export const formatValue = (value: number): string =>
  new Intl.NumberFormat(pageLocale, {
    maximumFractionDigits: 2,
    notation: Math.abs(value) >= 1e6 ? "compact" : "standard"
  }).format(value)

const rim = (turn: number) => {
  const angle = turn * 2 * Math.PI
  return `${round(Math.sin(angle), 4)} ${round(-Math.cos(angle), 4)}`
}

const round = (value: number, digits = 1) => Number(value.toFixed(digits))
