import { Redacted } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { SettingsShape } from "../../../platform/settings/Settings.ts"
import { VENDOR_A, vendorCall } from "../../vendors/vendorCall.ts"
import { audioBody } from "../audioBody.ts"
import type { SpeechSource } from "../SpeechSource.ts"
import type { SpeechPlan } from "../speechPlan.ts"

/** Longest input, in UTF-16 units. */
const MAX_LENGTH = 4096
/** Older models don't accept instructions. */
const WITHOUT_INSTRUCTIONS = /^tts-1/

/** Speech by `POST {base}/audio/speech`. */
export const vendorA = (
  client: HttpClient.HttpClient,
  settings: SettingsShape,
  { model, voice, manner }: SpeechPlan
): SpeechSource => ({
  fits: (piece) => piece.length <= MAX_LENGTH,
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
