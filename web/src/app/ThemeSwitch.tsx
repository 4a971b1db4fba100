import { component$ } from "@builder.io/qwik"
import type { UserSettings } from "../core/settings/settingValues.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { useReadable } from "./useReadable.ts"

const CHOICES: ReadonlyArray<{
  readonly theme: UserSettings["theme"]
  readonly label: string
  readonly icon: IconName
}> = [
  { theme: "system", label: "As the device", icon: "monitor" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" }
]

/** Chooses between the device's, the light and the dark colours. */
export const ThemeSwitch = component$(() => {
  const app = useServices()
  const settings = useReadable(app.console.settings.state)
  return (
    <div class="segmented" role="group" aria-label="Colours">
      {CHOICES.map(({ theme, label, icon }) => (
        <button
          key={theme}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={settings.value.theme === theme ? "true" : "false"}
          onClick$={() => app.console.settings.update({ theme })}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
})
