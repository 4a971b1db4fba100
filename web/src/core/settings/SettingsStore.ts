import { fieldsOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import { decodeSettings, type UserSettings } from "./settingValues.ts"

export interface SettingsStore {
  readonly state: Readable<UserSettings>
  update(change: Partial<UserSettings>): void
  /** Reads the saved settings again, after another tab changed them. */
  reload(): void
}

/** Where the settings are stored; `public/theme.js` reads the same before the first paint. */
export const SETTINGS_KEY = "agent-console:settings"

/** What a person chose in this browser. */
export function createSettings(storage: KeyValueStorage): SettingsStore {
  const read = () => decodeSettings(fieldsOf(parseJson(storage.getItem(SETTINGS_KEY) ?? "")))
  const state = createObservable<UserSettings>(read())
  return {
    state,
    update: (change) => {
      state.set({ ...state.get(), ...change })
      try {
        storage.setItem(SETTINGS_KEY, JSON.stringify(state.get()))
      } catch {
        // Lasts until the page is closed.
      }
    },
    reload: () => state.set(read())
  }
}
