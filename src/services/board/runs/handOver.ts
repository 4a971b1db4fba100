/** What a card that is done hands over to those that waited for it. */
export interface HandedOver {
  readonly title: string
  readonly result: string
}

/** UTF-16 units of one result, and of all of them. */
const RESULT_MAX = 8_000
const ALL_MAX = 24_000

const NOTE = "[The rest of this result is left out here. It is on the card.]"

/** The beginning of a text, up to the end of a line; of a line that is too long, as much as fits. */
const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const end = text.lastIndexOf("\n", max)
  const kept = text.slice(0, end > 0 ? end : max)
  // Half of a character isn't one.
  const whole = /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept
  return `${whole}${whole === "" ? "" : "\n"}${NOTE}`
}

/** The results under their titles, for an agent to read; nothing without any. */
export const handOver = (results: ReadonlyArray<HandedOver>): string | undefined => {
  let left = ALL_MAX
  const parts = results
    .filter(({ result }) => result.trim() !== "")
    .map(({ result, title }) => {
      const max = Math.min(RESULT_MAX, left)
      left -= Math.min(result.length, max)
      return `## ${title}\n\n${cut(result, max)}`
    })
  return parts.length === 0 ? undefined : ["Results of the tasks before this one:", ...parts].join("\n\n")
}
