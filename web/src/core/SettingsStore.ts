import { fieldsOf, parseJson } from "./decode.ts"
import type { KeyValueStorage } from "./Environment.ts"
import { Observable } from "./Observable.ts"
import type { SettingsStore, UserSettings } from "./types.ts"

const KEY = "agent-console:settings"

/** What a person chose in this browser. */
export function createSettings(storage: KeyValueStorage): SettingsStore {
  const saved = fieldsOf(parseJson(storage.getItem(KEY) ?? ""))
  const state = new Observable<UserSettings>({
    theme: saved.theme === "light" || saved.theme === "dark" ? saved.theme : "system",
    sendKey: saved.sendKey === "mod-enter" ? "mod-enter" : "enter"
  })
  return {
    state,
    update: (change) => {
      state.set({ ...state.get(), ...change })
      try {
        storage.setItem(KEY, JSON.stringify(state.get()))
      } catch {
        // Holds until the page is closed.
      }
    }
  }
}
