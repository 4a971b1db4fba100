import type { PhraseSet, VoiceReach } from "../../../src/contract/schema/voice.ts"
import type { AppServices } from "../base/AppContext.ts"
import { BASE_PATH, ownName } from "../core/common/basePath.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"
import { lastingStorage } from "../core/link/browserEnvironment.ts"
import { askingFirst, createVoiceAgreement, mayRead } from "../core/voice/askFirst.ts"
import { createRecordingShelf, type KeptRecording, type RecordingShelf } from "../core/voice/keptRecordings.ts"
import { createSpeaker, type Speaker } from "../core/voice/Speaker.ts"
import { createSpeechModel, type SpeechModel } from "../core/voice/SpeechModel.ts"
import { createVoiceApi, type VoiceApi } from "../core/voice/VoiceApi.ts"
import { createVoicePreferences, type VoicePreferencesStore } from "../core/voice/voicePreferences.ts"
import { phraseSet } from "../core/voice/voiceSetupTypes.ts"
import { playAudio, unlockAudio } from "./playAudio.ts"

const NAME = ownName("agent-console-recordings")
const STORE = "recordings"
/** Nobody comes back for what was said so long ago. */
const KEPT_MS = 30 * 24 * 60 * 60_000

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Recordings in this browser's own database. Rejects where the browser keeps nothing. */
async function openBrowserShelf(): Promise<RecordingShelf> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" })
  const db = await settled(opening)
  const store = (mode: IDBTransactionMode) => db.transaction(STORE, mode).objectStore(STORE)
  return {
    of: async (sessionKey) => {
      const all: ReadonlyArray<KeptRecording> = await settled(store("readonly").getAll())
      const oldest = Date.now() - KEPT_MS
      for (const { id } of all.filter(({ at }) => at < oldest)) store("readwrite").delete(id)
      return all.filter((one) => one.sessionKey === sessionKey && one.at >= oldest)
    },
    put: async (recording) => {
      await settled(store("readwrite").put(recording))
    },
    take: async (id) => {
      // One transaction, so that of two pages only one takes it.
      const recordings = store("readwrite")
      const count = await settled(recordings.count(id))
      await settled(recordings.delete(id))
      return count > 0
    }
  }
}

/** What the voice parts of a page share. */
export interface VoiceServices {
  readonly api: VoiceApi
  readonly preferences: VoicePreferencesStore
  /** Asks before the first use of an online voice. */
  readonly speaker: Speaker
  /** What recognises speech. */
  readonly model: SpeechModel
  /** Where recordings stay until they are messages. */
  readonly shelf: RecordingShelf
  /** Wake, stop and cancel phrases of the voice language. */
  readonly phrases: () => Promise<PhraseSet | null>
}

const made = new WeakMap<AppServices["client"], VoiceServices>()

/** A page's voice services, created on first use. */
export const voiceServices = (app: AppServices): VoiceServices => {
  const known = made.get(app.client)
  if (known !== undefined) return known
  const api = createVoiceApi(
    (url, init) => fetch(url, init),
    `${location.origin}${BASE_PATH}`,
    async (recording) => (await import("./convertRecording.ts")).convertRecording(recording)
  )
  const { events, api: server } = app.client
  const preferences = createVoicePreferences(lastingStorage())
  const agreement = createVoiceAgreement(lastingStorage())
  const reach = async (): Promise<ActionResult<VoiceReach>> => {
    const result = await server.request("GET", "/api/voice", (reach: VoiceReach) => reach)
    return result.ok ? result : { ok: false, message: result.error.message }
  }
  const speaker = createSpeaker({
    speak: (text, signal) => api.speak(text, preferences.state.get().provider, signal),
    play: playAudio,
    onProblem: (message) => app.notices.show("error", message),
    onBlocked: (again) =>
      app.notices.show("info", say("The response is ready to play."), { label: say("Play"), run: again })
  })
  const services: VoiceServices = {
    api,
    preferences,
    model: createSpeechModel(server, events, reach, agreement),
    shelf: createRecordingShelf(openBrowserShelf),
    speaker: askingFirst(speaker, {
      mayRead: async () => mayRead(await reach(), preferences.state.get().provider, agreement),
      onRefused: (message) => app.notices.show("info", message),
      onAsk: ({ message, service }, read) =>
        app.notices.show("info", message, {
          label: say("Read aloud"),
          run: () => {
            agreement.add(service)
            unlockAudio()
            read()
          }
        })
    }),
    phrases: async () => {
      const result = await app.client.api.request("GET", "/api/voice-phrases", phraseSet)
      return result.ok ? result.value : null
    }
  }
  made.set(app.client, services)
  return services
}
