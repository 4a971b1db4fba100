import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { LanguageChoice, LanguageSupport } from "../../contract/schema/voice.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import {
  languageState,
  languageSupport,
  type VoiceChoice,
  VoiceLanguage
} from "../../services/voice/language/VoiceLanguage.ts"
import { VoicePhrases } from "../../services/voice/phrases/VoicePhrases.ts"
import { SttConfig } from "../../services/voice/stt/SttConfig.ts"
import { type SttChoice, SttSettings } from "../../services/voice/stt/SttSettings.ts"
import { Transcription, UnsupportedAudio } from "../../services/voice/stt/Transcription.ts"
import { Speech } from "../../services/voice/tts/Speech.ts"
import { TtsSettings } from "../../services/voice/tts/TtsSettings.ts"
import { voiceReach } from "../../services/voice/voiceReach.ts"
import { routeHandlers } from "../Api.ts"
import { keptAnswer } from "../apiResponse.ts"
import { withRetryAfter } from "../serviceErrors.ts"

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
          withRetryAfter
        ),
      config: () => settings.get,
      configure: ({ payload }) => settings.set(payload)
    })
  })
)

export const SttHandlers = routeHandlers(
  "stt",
  Effect.fn(function* (handlers) {
    const transcription = yield* Transcription
    const config = yield* SttConfig
    return handlers.handleAll({
      transcribe: ({ payload: { file } }) =>
        (typeof file === "string" ? Effect.fail(new UnsupportedAudio()) : transcription.transcribe(file)).pipe(
          Effect.map((text) => ({ text })),
          withRetryAfter
        ),
      config: () => config.get,
      configure: ({ payload }) => config.set(payload)
    })
  })
)

export const LanguageHandlers = routeHandlers(
  "language",
  Effect.fn(function* (handlers) {
    const settings = yield* Settings
    const language = yield* VoiceLanguage
    const stt = yield* SttSettings
    const state = keptAnswer(LanguageChoice, (choice: VoiceChoice) => languageState(choice, settings))
    const supported = keptAnswer(LanguageSupport, ({ model }: SttChoice) => languageSupport(model))
    return handlers.handleAll({
      read: () => Effect.map(language.get, state),
      change: ({ payload }) => Effect.map(language.set(payload), state),
      support: () => Effect.map(stt.get, supported)
    })
  })
)

export const PhrasesHandlers = routeHandlers(
  "phrases",
  Effect.fn(function* (handlers) {
    const phrases = yield* VoicePhrases
    return handlers.handleAll({
      merged: ({ query }) => phrases.merged(query.lang),
      status: () => phrases.status,
      read: ({ params }) => phrases.of(params.lang),
      save: ({ params: { lang }, payload }) =>
        Effect.map(phrases.save(lang, payload), (saved) => ({ ok: true as const, lang, ...saved }))
    })
  })
)

export const VoiceReachHandlers = routeHandlers(
  "voiceReach",
  Effect.fn(function* (handlers) {
    const reach = voiceReach(yield* Settings)
    return handlers.handleAll({ read: () => Effect.succeed(reach) })
  })
)
