import { fieldsOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** When responses are read aloud: never, after spoken messages, or always. */
export type ReadAloud = "never" | "spoken" | "always"

/** What a person chose about voice in this browser. */
export interface VoicePreferences {
  readonly readAloud: ReadAloud
  /** Whether words go to the agent at once, or into the composer for review. */
  readonly afterTalk: "send" | "edit"
  /** Listen for the wake phrase while a chat is open. */
  readonly handsFree: boolean
  /** The voice; null lets the console's server choose. */
  readonly provider: "vendor_a" | "vendor_b" | "free" | "alias" | null
}

export interface VoicePreferencesStore {
  readonly state: Readable<VoicePreferences>
  readonly update: (change: Partial<VoicePreferences>) => void
}

const KEY = "agent-console:voice"
const READ_ALOUD: ReadonlyArray<ReadAloud> = ["never", "spoken", "always"]
const PROVIDERS: ReadonlyArray<VoicePreferences["provider"]> = ["vendor_a", "vendor_b", "free", "alias"]

/** Reads and stores them; nothing is spoken or listened to until someone asks for it. */
export function createVoicePreferences(storage: KeyValueStorage): VoicePreferencesStore {
  const saved = fieldsOf(parseJson(storage.getItem(KEY) ?? ""))
  const state = createObservable<VoicePreferences>({
    readAloud: READ_ALOUD.find((value) => value === saved.readAloud) ?? "spoken",
    afterTalk: saved.afterTalk === "edit" ? "edit" : "send",
    handsFree: saved.handsFree === true,
    provider: PROVIDERS.find((value) => value === saved.provider) ?? null
  })
  return {
    state,
    update: (change) => {
      state.set({ ...state.get(), ...change })
      try {
        storage.setItem(KEY, JSON.stringify(state.get()))
      } catch {
        // Lasts until the page is closed.
      }
    }
  }
}
