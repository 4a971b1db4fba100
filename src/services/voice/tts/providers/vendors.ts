import { Duration, Effect, Redacted, Schedule, Schema, Stream } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { failure } from "../../../../contract/failures.ts"
import type { SettingsShape } from "../../../platform/settings/Settings.ts"
import {
  notUnderstood,
  PATIENCE,
  ProviderFailed,
  tooSlow,
  VENDOR_A,
  VENDOR_B,
  vendorCall
} from "../../vendors/vendorCall.ts"
import { ALIAS_MODEL, type SpeechPlan } from "../speechPlan.ts"
import { audioBody, type SpeechSource } from "../spokenAudio.ts"

const Prediction = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[\w-]{1,100}$/)),
  status: Schema.String,
  output: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)])))
})
type Prediction = typeof Prediction.Type
const decodePrediction = Schema.decodeUnknownEffect(Prediction)

const MODEL_NAME = /^\w[\w.-]*\/\w[\w.-]*$/
const UNDER_WAY = new Set(["starting", "processing"])
/** Longest text of one prediction, in UTF-16 units. */
const MAX_LENGTH = 2000
const POLL_FIRST = "300 millis"
const POLL_SLOWEST = Duration.seconds(3)
const LONGEST = "2 minutes"
/** How long to wait for the vendor to accept a cancellation. */
const CANCEL_LIMIT = "2 seconds"

const BAD_MODEL = new ProviderFailed(failure("REPLICATE_MODEL_FORM"))
const NOT_SPOKEN = new ProviderFailed(failure("REPLICATE_FAILED"))
const TOO_LONG = new ProviderFailed(failure("REPLICATE_TIMED_OUT", { span: LONGEST }))

/** Each model's name for the voice parameter. */
const voiceField = (model: string): string => {
  if (model === ALIAS_MODEL) return "speaker"
  return model.startsWith("minimax/") ? "voice_id" : "voice"
}

/** Speech from a hosted model's predictions: start one, poll until it's done, fetch the result. */
export const vendorB = (
  client: HttpClient.HttpClient,
  settings: SettingsShape,
  { model, voice, manner }: SpeechPlan
): SpeechSource => {
  const base = settings.vendorBBaseUrl
  const authorise =
    settings.vendorBToken === undefined
      ? (same: HttpClientRequest.HttpClientRequest) => same
      : HttpClientRequest.bearerToken(Redacted.value(settings.vendorBToken))

  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    vendorCall(client, VENDOR_B, authorise(request)).pipe(
      Effect.flatMap((response) => response.json),
      Effect.flatMap(decodePrediction),
      Effect.catchTags({
        HttpClientError: () => Effect.fail(notUnderstood(VENDOR_B)),
        SchemaError: () => Effect.fail(notUnderstood(VENDOR_B))
      }),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow(VENDOR_B)) })
    )

  const cancel = (id: string) =>
    vendorCall(client, VENDOR_B, authorise(HttpClientRequest.post(`${base}/predictions/${id}/cancel`))).pipe(
      Effect.interruptible,
      Effect.timeoutOption(CANCEL_LIMIT),
      Effect.ignore
    )

  const finished = Effect.fnUntraced(function* (started: Prediction) {
    if (!UNDER_WAY.has(started.status)) return started
    return yield* ask(HttpClientRequest.get(`${base}/predictions/${started.id}`)).pipe(
      Effect.delay(POLL_FIRST),
      Effect.repeat({
        schedule: Schedule.exponential(POLL_FIRST, 1.5).pipe(
          Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, POLL_SLOWEST)))
        ),
        while: ({ status }) => UNDER_WAY.has(status)
      }),
      Effect.timeoutOrElse({ duration: LONGEST, orElse: () => Effect.fail(TOO_LONG) }),
      Effect.onError(() => cancel(started.id))
    )
  })

  const outputOf = Effect.fnUntraced(function* (piece: string) {
    if (!MODEL_NAME.test(model)) return yield* BAD_MODEL
    const input = { text: piece, ...(voice === "" ? {} : { [voiceField(model)]: voice }), ...manner }
    const request = HttpClientRequest.post(`${base}/models/${model}/predictions`).pipe(
      HttpClientRequest.bodyJsonUnsafe({ input })
    )
    const { status, output } = yield* Effect.flatMap(ask(request), finished)
    if (status !== "succeeded") return yield* NOT_SPOKEN
    const address = typeof output === "string" ? output : output?.[0]
    if (address === undefined || !/^https?:/.test(address) || !URL.canParse(address)) {
      return yield* notUnderstood(VENDOR_B)
    }
    const fetched = HttpClientRequest.get(address)
    // The token is only for the vendor's API; the result may be hosted anywhere.
    const isVendor = new URL(address).origin === new URL(base).origin
    return audioBody(VENDOR_B, vendorCall(client, VENDOR_B, isVendor ? authorise(fetched) : fetched))
  })

  return {
    fits: (piece) => piece.length <= MAX_LENGTH,
    say: (piece) => Stream.unwrap(outputOf(piece))
  }
}

/** Longest input, in UTF-16 units. */
const MAX_INPUT = 4096
/** Older models don't accept instructions. */
const WITHOUT_INSTRUCTIONS = /^tts-1/

/** Speech by `POST {base}/audio/speech`. */
export const vendorA = (
  client: HttpClient.HttpClient,
  settings: SettingsShape,
  { model, voice, manner }: SpeechPlan
): SpeechSource => ({
  fits: (piece) => piece.length <= MAX_INPUT,
  say: (piece) => {
    const request = HttpClientRequest.post(`${settings.vendorABaseUrl}/audio/speech`).pipe(
      settings.vendorAKey === undefined
        ? (same) => same
        : HttpClientRequest.bearerToken(Redacted.value(settings.vendorAKey)),
      HttpClientRequest.bodyJsonUnsafe({
        model,
        voice,
        input: piece,
        response_format: "mp3",
        ...(WITHOUT_INSTRUCTIONS.test(model) ? {} : manner)
      })
    )
    return audioBody(VENDOR_A, vendorCall(client, VENDOR_A, request))
  }
})
