import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Speech } from "../../services/tts/Speech.ts"
import { TtsSettings } from "../../services/tts/TtsSettings.ts"
import { Api } from "../Api.ts"
import { tellWhenToRetry } from "../providerErrors.ts"

/** Compressing audio would only hold it back. */
const HEADERS = { "cache-control": "no-store, no-transform" }

export const TtsHandlers = HttpApiBuilder.group(
  Api,
  "tts",
  Effect.fn(function* (handlers) {
    const speech = yield* Speech
    const settings = yield* TtsSettings
    return handlers.handleAll({
      speak: ({ payload }) =>
        speech.speak(payload).pipe(
          Effect.map(({ bytes }) => HttpServerResponse.stream(bytes, { contentType: "audio/mpeg", headers: HEADERS })),
          tellWhenToRetry
        ),
      config: () => settings.get,
      configure: ({ payload }) => settings.set(payload)
    })
  })
)
