import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import type { UserSettings } from "../core/settings/settingValues.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"

const CHOICES: ReadonlyArray<{
  readonly theme: UserSettings["theme"]
  readonly label: string
  readonly icon: IconName
}> = [
  { theme: "system", label: "Match device", icon: "monitor" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" }
]

/** Chooses between the device's colours, light and dark. */
export const ThemeSwitch = component$(() => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  return (
    <div class="segmented" role="group" aria-label="Colours">
      {CHOICES.map(({ theme, label, icon }) => (
        <button
          key={theme}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={settings.value.theme === theme ? "true" : "false"}
          onClick$={() => app.client.settings.update({ theme })}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
})
