import { Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import { audioFormat, convertToMp3, FORMAT_BYTES, tagLength } from "../audio/audioTool.ts"
import {
  notReached,
  notUnderstood,
  PATIENCE,
  type ProviderError,
  ProviderFailed,
  tooSlow,
  type Vendor
} from "../vendors/vendorCall.ts"

/** Whether a piece of text is short enough for a provider. */
type Fits = (piece: string) => boolean

/** Grapheme clusters, so that no visible character is split. */
const characters = (text: string): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment)

const segments = (text: string, language: string, granularity: "sentence" | "word"): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter(language, { granularity }).segment(text), ({ segment }) => segment)

/** Joins as many parts as fit; a part that's too long is split by the next, finer rule. */
const pack = (
  parts: ReadonlyArray<string>,
  fits: Fits,
  cutFiner: (part: string) => ReadonlyArray<string>
): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let current = ""
  for (const part of parts.flatMap((whole) => (fits(whole) ? [whole] : cutFiner(whole)))) {
    if (current !== "" && !fits(current + part)) {
      pieces.push(current)
      current = ""
    }
    current += part
  }
  return current === "" ? pieces : [...pieces, current]
}

/**
 * A text in pieces that fit, split between sentences; a sentence that's too long is split between words, and a word
 * between characters. Joined, the pieces give the text again.
 */
export const splitText = (text: string, language: string, fits: Fits): ReadonlyArray<string> => {
  if (fits(text)) return [text]
  const byCharacter = (word: string) => pack(characters(word), fits, (character) => [character])
  const byWord = (sentence: string) => pack(segments(sentence, language, "word"), fits, byCharacter)
  return pack(segments(text, language, "sentence"), fits, byWord)
}

/** A provider, ready to speak pieces of text. */
export interface SpeechSource {
  /** Its limit per request. */
  readonly fits: Fits
  /** One piece's audio, in whatever format the provider returns. */
  readonly say: (piece: string) => Stream.Stream<Uint8Array, ProviderError>
}

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

const AUDIO_TYPE = /^(audio\/|application\/octet-stream|binary\/octet-stream)/i

/** The bytes of an audio response; fails if it isn't audio, stalls or is cut off. */
export const audioBody = (
  vendor: Vendor,
  answer: Effect.Effect<HttpClientResponse.HttpClientResponse, ProviderError>
): Stream.Stream<Uint8Array, ProviderError> =>
  Stream.unwrap(
    Effect.map(answer, (response): Stream.Stream<Uint8Array, ProviderError> => {
      if (!AUDIO_TYPE.test(response.headers["content-type"] ?? "audio/")) return Stream.fail(notUnderstood(vendor))
      return response.stream.pipe(
        Stream.mapError(() => notReached(vendor)),
        Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(tooSlow(vendor)) })
      )
    })
  )
