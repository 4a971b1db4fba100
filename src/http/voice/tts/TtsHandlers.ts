import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Speech } from "../../../services/voice/tts/Speech.ts"
import { TtsSettings } from "../../../services/voice/tts/TtsSettings.ts"
import { tellWhenToRetry } from "../../providerErrors.ts"
import { routeHandlers } from "../../routeHandlers.ts"

/** Compressing audio would only delay it. */
const HEADERS = { "cache-control": "no-store, no-transform" }

export const TtsHandlers = routeHandlers(
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
