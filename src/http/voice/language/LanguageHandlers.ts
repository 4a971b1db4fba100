import { Effect } from "effect"
import { LanguageChoice, LanguageSupport } from "../../../contract/schema/voice.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { languageState } from "../../../services/voice/language/languageState.ts"
import { languageSupport } from "../../../services/voice/language/languageSupport.ts"
import { type VoiceChoice, VoiceLanguage } from "../../../services/voice/language/VoiceLanguage.ts"
import { type SttChoice, SttSettings } from "../../../services/voice/stt/SttSettings.ts"
import { keptAnswer } from "../../apiResponse.ts"
import { routeHandlers } from "../../routeHandlers.ts"

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
