import type { SettingsStore } from "../core/settings/SettingsStore.ts"
import { SETTINGS_KEY } from "../core/settings/SettingsStore.ts"
import type { UserSettings } from "../core/settings/settingValues.ts"

/** Sets the settings as attributes of the page's root: the styles know every value, so nothing is loaded. */
const show = ({ theme, density, textSize, motion, sidebar, sidebarWidth }: UserSettings): void => {
  const root = document.documentElement
  Object.assign(root.dataset, { theme, density, textSize, motion, sidebar })
  root.style.setProperty("--sidebar", sidebarWidth === null ? "" : `${sidebarWidth}px`)
  // The title bar of an installed app takes the page's colour; the static ones are the device's light and dark.
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    meta.dataset.device ??= meta.content
    meta.content = theme === "system" ? meta.dataset.device : getComputedStyle(root).backgroundColor
  }
}

/** Applies the settings to the page, also when another tab changes them. */
export const followSettings = (settings: SettingsStore): void => {
  const { language } = settings.state.get()
  show(settings.state.get())
  settings.state.subscribe((now) => {
    // Texts are read once, as the page starts.
    if (now.language === language) show(now)
    else location.reload()
  })
  window.addEventListener("storage", ({ key }) => {
    if (key === SETTINGS_KEY || key === null) settings.reload()
  })
}
