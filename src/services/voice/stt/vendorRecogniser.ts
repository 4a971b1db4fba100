import { Effect, FileSystem, Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { notUnderstood, PATIENCE, tooSlow, VENDOR_A, vendorCall, withoutKey } from "../vendors/vendorCall.ts"
import { ProviderFailed } from "../vendors/vendorErrors.ts"

const MODEL = "whisper-1"

const Answer = Schema.Struct({ text: Schema.String })
const decodeAnswer = Schema.decodeUnknownEffect(Answer)
const NOT_READ = new ProviderFailed({ message: "couldn't read the recording: send it again" })

/** A recording on its way to the vendor. */
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
  const form = new FormData()
  form.set("file", new File([bytes.slice()], `recording.${recording.ending}`, { type: recording.type }))
  form.set("model", MODEL)
  form.set("language", recording.language)
  form.set("response_format", "json")
  const request = HttpClientRequest.post(`${settings.vendorABaseUrl}/audio/transcriptions`).pipe(
    HttpClientRequest.bearerToken(Redacted.value(settings.vendorAKey)),
    HttpClientRequest.bodyFormData(form)
  )
  const response = yield* vendorCall(client, VENDOR_A, request)
  const { text } = yield* response.json.pipe(
    Effect.flatMap(decodeAnswer),
    Effect.mapError(() => notUnderstood(VENDOR_A)),
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow(VENDOR_A)) })
  )
  return text
})
