import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { languageState } from "../../services/language/languageState.ts"
import { languageSupport } from "../../services/language/languageSupport.ts"
import { VoiceLanguage } from "../../services/language/VoiceLanguage.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { SttSettings } from "../../services/stt/SttSettings.ts"
import { Api } from "../Api.ts"

export const LanguageHandlers = HttpApiBuilder.group(
  Api,
  "language",
  Effect.fn(function* (handlers) {
    const settings = yield* Settings
    const language = yield* VoiceLanguage
    const stt = yield* SttSettings
    return handlers.handleAll({
      read: () => Effect.map(language.get, (choice) => languageState(choice, settings)),
      change: ({ payload }) => Effect.map(language.set(payload), (choice) => languageState(choice, settings)),
      support: () => Effect.map(stt.get, ({ model }) => languageSupport(model))
    })
  })
)
