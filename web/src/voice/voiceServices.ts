import type { PhraseSet } from "../../../src/contract/answers/VoiceAnswers.ts"
import type { AppServices } from "../base/AppContext.ts"
import { memoryStorage } from "../core/common/memoryStorage.ts"
import { say } from "../core/language/say.ts"
import { createSpeaker, type Speaker } from "../core/voice/Speaker.ts"
import { createVoiceApi, type VoiceApi } from "../core/voice/VoiceApi.ts"
import { createVoicePreferences, type VoicePreferencesStore } from "../core/voice/voicePreferences.ts"
import { decodePhrases } from "../core/voice/voiceSetupTypes.ts"
import { playAudio } from "./playAudio.ts"

/** What the voice parts of a page share. */
export interface VoiceServices {
  readonly api: VoiceApi
  readonly preferences: VoicePreferencesStore
  readonly speaker: Speaker
  /** Wake, stop and cancel phrases of the voice language. */
  readonly phrases: () => Promise<PhraseSet | null>
}

const made = new WeakMap<AppServices["client"], VoiceServices>()

const storage = () => {
  try {
    return window.localStorage
  } catch {
    return memoryStorage()
  }
}

/** A page's voice services, created on first use. */
export const voiceServices = (app: AppServices): VoiceServices => {
  const known = made.get(app.client)
  if (known !== undefined) return known
  const api = createVoiceApi(
    (url, init) => fetch(url, init),
    location.origin,
    async (recording) => (await import("./convertRecording.ts")).convertRecording(recording)
  )
  const preferences = createVoicePreferences(storage())
  const services: VoiceServices = {
    api,
    preferences,
    speaker: createSpeaker({
      speak: (text, signal) => api.speak(text, preferences.state.get().provider, signal),
      play: playAudio,
      onProblem: (message) => app.notices.show("error", message),
      onBlocked: (again) =>
        app.notices.show("info", say("The response is ready to play."), { label: say("Play"), run: again })
    }),
    phrases: async () => {
      const result = await app.client.api.request("GET", "/api/voice-phrases", decodePhrases)
      return result.ok ? result.value : null
    }
  }
  made.set(app.client, services)
  return services
}
