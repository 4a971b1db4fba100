import { Schema } from "effect"

const Segment = Schema.Struct({
  text: Schema.String,
  no_speech_prob: Schema.optionalKey(Schema.Finite),
  avg_logprob: Schema.optionalKey(Schema.Finite)
})
type Segment = typeof Segment.Type

/** A recogniser's response; some report for each segment the probability that it isn't speech. */
export const HostedAnswer = Schema.Struct({
  text: Schema.String,
  segments: Schema.optionalKey(Schema.NullOr(Schema.Array(Segment)))
})
export type HostedAnswer = typeof HostedAnswer.Type

/** Above the first limit, an uncertain segment isn't speech; above the second, no segment is. */
const LIKELY_SILENT = 0.6
const SURELY_SILENT = 0.8
/** The mean log probability below which a segment is uncertain. */
const GUESSED = -0.5

const isSpoken = ({ avg_logprob = Number.NEGATIVE_INFINITY, no_speech_prob = 0 }: Segment): boolean =>
  no_speech_prob <= LIKELY_SILENT || (no_speech_prob <= SURELY_SILENT && avg_logprob > GUESSED)

/** Returns the text without segments that the recogniser rates as silence, for which it invents words. */
export const spokenText = ({ segments, text }: HostedAnswer): string => {
  if (segments === undefined || segments === null || segments.every(isSpoken)) return text
  return segments
    .filter(isSpoken)
    .map((segment) => segment.text.trim())
    .join(" ")
}
