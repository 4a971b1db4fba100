import type { AppServices } from "../app/ConsoleContext.ts"
import { fieldsOf, listOf, textOf } from "../core/decode.ts"
import { memoryStorage } from "../core/memoryStorage.ts"
import type { Phrases } from "../core/voice/handsFree.ts"
import { Speaker } from "../core/voice/Speaker.ts"
import { createVoiceApi, type VoiceApi } from "../core/voice/VoiceApi.ts"
import { createVoicePreferences, type VoicePreferencesStore } from "../core/voice/voicePreferences.ts"
import { playAudio } from "./playAudio.ts"

/** What the voice parts of a page share. */
export interface VoiceServices {
  readonly api: VoiceApi
  readonly preferences: VoicePreferencesStore
  readonly speaker: Speaker
  /** Wake, stop and cancel phrases of the voice language. */
  readonly phrases: () => Promise<Phrases | null>
}

const made = new WeakMap<AppServices["console"], VoiceServices>()

const storage = () => {
  try {
    return window.localStorage
  } catch {
    return memoryStorage()
  }
}

const texts = (value: unknown) => listOf(value).flatMap((entry) => textOf(entry) ?? [])

/** The voice services of a page, made with their first use. */
export const voiceServices = (app: AppServices): VoiceServices => {
  const known = made.get(app.console)
  if (known !== undefined) return known
  const api = createVoiceApi((url, init) => fetch(url, init), location.origin)
  const preferences = createVoicePreferences(storage())
  const services: VoiceServices = {
    api,
    preferences,
    speaker: new Speaker({
      speak: (text, signal) => api.speak(text, preferences.state.get().provider, signal),
      play: playAudio,
      onProblem: (message) => app.notices.show("error", message),
      onBlocked: (again) => app.notices.show("info", "The answer is ready to be heard.", { label: "Play", run: again })
    }),
    phrases: async () => {
      const result = await app.console.api.request("GET", "/api/voice-phrases", (body) => {
        const { wakePhrases, stopPhrases, cancelPhrases } = fieldsOf(body)
        return {
          wakePhrases: texts(wakePhrases),
          stopPhrases: texts(stopPhrases),
          cancelPhrases: texts(cancelPhrases)
        }
      })
      return result.ok ? result.value : null
    }
  }
  made.set(app.console, services)
  return services
}
