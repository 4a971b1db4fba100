import { Schema } from "effect"

const Segment = Schema.Struct({
  text: Schema.String,
  no_speech_prob: Schema.optionalKey(Schema.Finite),
  avg_logprob: Schema.optionalKey(Schema.Finite)
})
type Segment = typeof Segment.Type

/** A recogniser's answer; those that measure it say of each segment how likely it's no speech. */
export const HostedAnswer = Schema.Struct({
  text: Schema.String,
  segments: Schema.optionalKey(Schema.NullOr(Schema.Array(Segment)))
})
export type HostedAnswer = typeof HostedAnswer.Type

/** Above the first, what the recogniser isn't sure of is no speech; above the second, all is. */
const LIKELY_SILENT = 0.6
const SURELY_SILENT = 0.8
/** The mean logarithm of a word's probability below which the recogniser guesses. */
const GUESSED = -0.5

const isSpoken = ({ avg_logprob = Number.NEGATIVE_INFINITY, no_speech_prob = 0 }: Segment): boolean =>
  no_speech_prob <= LIKELY_SILENT || (no_speech_prob <= SURELY_SILENT && avg_logprob > GUESSED)

/** The text without what the recogniser itself takes for silence: for that, it makes up words such as thanks. */
export const spokenText = ({ segments, text }: HostedAnswer): string => {
  if (segments === undefined || segments === null || segments.every(isSpoken)) return text
  return segments
    .filter(isSpoken)
    .map((segment) => segment.text.trim())
    .join(" ")
}
