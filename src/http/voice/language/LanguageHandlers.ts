import { Effect } from "effect"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { languageState } from "../../../services/voice/language/languageState.ts"
import { languageSupport } from "../../../services/voice/language/languageSupport.ts"
import { VoiceLanguage } from "../../../services/voice/language/VoiceLanguage.ts"
import { SttSettings } from "../../../services/voice/stt/SttSettings.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const LanguageHandlers = routeHandlers(
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
