import { Effect, FileSystem, Redacted, Schema, Stream } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import {
  notUnderstood,
  PATIENCE,
  ProviderFailed,
  tooSlow,
  VENDOR_A,
  vendorCall,
  withoutKey
} from "../vendors/vendorCall.ts"

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

const MODEL = "whisper-1"

const decodeAnswer = Schema.decodeUnknownEffect(HostedAnswer)
/** Statuses of a server that doesn't support segments. */
const OTHER_FORM = [400, 415, 422]
const NOT_READ = new ProviderFailed(failure("RECORDING_UNREADABLE"))

/** The request with a recording. */
export interface HostedRecording {
  readonly path: string
  readonly type: string
  readonly ending: string
  readonly language: string
}

/** Recognises a recording with vendor_a's `POST {base}/audio/transcriptions`. */
export const recogniseByVendor = Effect.fn("recogniseByVendor")(function* (
  client: HttpClient.HttpClient,
  settings: SettingsShape,
  recording: HostedRecording
) {
  if (settings.vendorAKey === undefined) return yield* withoutKey(VENDOR_A)
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(fs.readFile(recording.path), () => NOT_READ)
  const key = Redacted.value(settings.vendorAKey)
  const ask = (format: "verbose_json" | "json", accepted: ReadonlyArray<number>) => {
    const form = new FormData()
    form.set("file", new File([bytes.slice()], `recording.${recording.ending}`, { type: recording.type }))
    form.set("model", MODEL)
    form.set("language", recording.language)
    form.set("response_format", format)
    const request = HttpClientRequest.post(`${settings.vendorABaseUrl}/audio/transcriptions`).pipe(
      HttpClientRequest.bearerToken(key),
      HttpClientRequest.bodyFormData(form)
    )
    return vendorCall(client, VENDOR_A, request, accepted)
  }
  const first = yield* ask("verbose_json", OTHER_FORM)
  const isOtherForm = OTHER_FORM.includes(first.status)
  // The body isn't needed, and discarding it frees the connection.
  if (isOtherForm) yield* first.stream.pipe(Stream.take(1), Stream.runDrain, Effect.ignore)
  const response = isOtherForm ? yield* ask("json", []) : first
  const answer = yield* response.json.pipe(
    Effect.flatMap(decodeAnswer),
    Effect.mapError(() => notUnderstood(VENDOR_A)),
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow(VENDOR_A)) })
  )
  return spokenText(answer)
})
