import { assert, describe, it } from "@effect/vitest"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { createSettings } from "../../../src/core/settings/SettingsStore.ts"

/** A storage that takes nothing any more. */
const full = {
  ...memoryStorage(),
  setItem: () => {
    throw new Error("full")
  }
}

describe("settings", () => {
  it("survive a reload; what is damaged falls back", () => {
    const storage = memoryStorage()
    createSettings(storage).update({ theme: "dark", sendKey: "mod-enter" })
    assert.deepInclude(createSettings(storage).state.get(), {
      theme: "dark",
      sendKey: "mod-enter",
      density: "comfortable"
    })
    storage.setItem("agent-console:settings", '{"theme":"pink","sendKey":5,"sidebarWidth":"wide"}')
    assert.deepStrictEqual(createSettings(storage).state.get(), {
      theme: "system",
      language: "system",
      density: "comfortable",
      textSize: "normal",
      motion: "system",
      sidebar: "open",
      sidebarWidth: null,
      sendKey: "enter",
      sessionGroups: "gateway",
      notifications: "off",
      sound: "off"
    })
    const unsaved = createSettings(full)
    unsaved.update({ theme: "light" })
    assert.strictEqual(unsaved.state.get().theme, "light")
  })
})
