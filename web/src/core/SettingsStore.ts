import { fieldsOf, parseJson } from "./decode.ts"
import type { KeyValueStorage } from "./Environment.ts"
import { Observable } from "./Observable.ts"
import { decodeSettings, type UserSettings } from "./settings/settingValues.ts"
import type { SettingsStore } from "./types.ts"

/** Where the settings are kept; `public/theme.js` reads the same before the first paint. */
export const SETTINGS_KEY = "agent-console:settings"

/** What a person chose in this browser. */
export function createSettings(storage: KeyValueStorage): SettingsStore {
  const read = () => decodeSettings(fieldsOf(parseJson(storage.getItem(SETTINGS_KEY) ?? "")))
  const state = new Observable<UserSettings>(read())
  return {
    state,
    update: (change) => {
      state.set({ ...state.get(), ...change })
      try {
        storage.setItem(SETTINGS_KEY, JSON.stringify(state.get()))
      } catch {
        // Holds until the page is closed.
      }
    },
    reload: () => state.set(read())
  }
}
