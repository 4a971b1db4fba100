import { Effect, Stream } from "effect"
import { failure } from "../../../contract/failures.ts"
import { audioFormat, FORMAT_BYTES, tagLength } from "../audio/audioFormat.ts"
import { convertToMp3 } from "../audio/audioTool.ts"
import { ProviderFailed } from "../vendors/vendorErrors.ts"
import type { SpeechSource } from "./SpeechSource.ts"

/** Maximum audio for one text, in bytes; an hour of speech at the usual rates. */
const MAX_AUDIO_BYTES = 32 * 1024 * 1024

const EMPTY = new ProviderFailed(failure("NO_AUDIO"))
const TOO_MUCH = new ProviderFailed(failure("TOO_MUCH_AUDIO"))

/** Receives the next bytes of MP3. */
export type Emit = (chunk: Uint8Array) => void

/**
 * Speaks the pieces of a text one after the other and produces one MP3: MP3 is passed on as it arrives, without the
 * tags between pieces, and other formats are converted as soon as a piece is complete.
 */
export const sayPieces = Effect.fn("sayPieces")(function* (
  ffmpeg: string,
  source: SpeechSource,
  pieces: ReadonlyArray<string>,
  emit: Emit
) {
  let total = 0
  for (const [index, piece] of pieces.entries()) {
    let held: Array<Uint8Array> = []
    let heldBytes = 0
    let skip = 0
    let isMp3: boolean | undefined

    const pass = (chunk: Uint8Array) => {
      const rest = chunk.subarray(Math.min(skip, chunk.length))
      skip -= chunk.length - rest.length
      if (rest.length > 0) emit(rest)
    }
    const hold = (chunk: Uint8Array) => {
      held.push(chunk)
      heldBytes += chunk.length
      if (isMp3 !== undefined || heldBytes < FORMAT_BYTES) return
      const start = Buffer.concat(held)
      isMp3 = audioFormat(start) === "mp3"
      held = isMp3 ? [] : [start]
      if (!isMp3) return
      skip = index === 0 ? 0 : tagLength(start)
      pass(start)
    }

    yield* Stream.runForEach(source.say(piece), (chunk) => {
      total += chunk.length
      if (total > MAX_AUDIO_BYTES) return Effect.fail(TOO_MUCH)
      return Effect.sync(() => (isMp3 ? pass(chunk) : hold(chunk)))
    })
    if (heldBytes === 0) return yield* EMPTY
    if (held.length > 0) emit(yield* convertToMp3(ffmpeg, Buffer.concat(held)))
  }
})
