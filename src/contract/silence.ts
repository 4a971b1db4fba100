/** Loudness is looked at in pieces of this length, in seconds: about that of a vowel. */
const PIECE_S = 0.05
/** A piece louder than this is sound: -50 dB of full scale. A quiet voice is above it, the noise of a quiet room below. */
const SOUND = 10 ** (-50 / 20)
/** A click alone is shorter than the shortest word. */
const LEAST_PIECES = 2

/** Listens to a recording as it comes. */
export interface SoundMeter {
  /** The next sample, between -1 and 1. */
  readonly add: (sample: number) => void
  /** Whether nothing was louder than the noise of a quiet room for as long as a short word. */
  readonly isSilent: () => boolean
}

/** Judges whether somebody can have spoken, by loudness alone: recognisers make up words for silence. */
export const createSoundMeter = (rate: number): SoundMeter => {
  const length = Math.max(1, Math.round(rate * PIECE_S))
  let loud = 0
  let count = 0
  let sum = 0
  let squares = 0
  return {
    add: (sample) => {
      sum += sample
      squares += sample * sample
      count += 1
      if (count < length) return
      // What is constant can't be heard.
      const mean = sum / count
      if (Math.sqrt(Math.max(0, squares / count - mean * mean)) > SOUND) loud += 1
      count = 0
      sum = 0
      squares = 0
    },
    isSilent: () => loud < LEAST_PIECES
  }
}
