import { SETTINGS_KEY } from "../core/SettingsStore.ts"
import type { UserSettings } from "../core/settings/settingValues.ts"
import type { SettingsStore } from "../core/types.ts"

/** Puts the settings into the page as attributes of its root: the styles know every value, none is loaded anew. */
const show = ({ theme, density, textSize, motion }: UserSettings): void => {
  const root = document.documentElement
  Object.assign(root.dataset, { theme, density, textSize, motion })
  // The bar of an installed app takes the colour of the page; the fixed ones are the device's light and dark.
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    meta.dataset.device ??= meta.content
    meta.content = theme === "system" ? meta.dataset.device : getComputedStyle(root).backgroundColor
  }
}

/** Keeps the page as the settings say, also when another tab changes them. */
export const followSettings = (settings: SettingsStore): void => {
  show(settings.state.get())
  settings.state.subscribe(show)
  window.addEventListener("storage", ({ key }) => {
    if (key === SETTINGS_KEY || key === null) settings.reload()
  })
}
