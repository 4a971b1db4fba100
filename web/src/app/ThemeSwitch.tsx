import { component$ } from "@builder.io/qwik"
import type { Theme } from "../core/types.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { useServices } from "./ConsoleContext.ts"
import { useReadable } from "./useReadable.ts"

const CHOICES: ReadonlyArray<{ readonly theme: Theme; readonly label: string; readonly icon: IconName }> = [
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
      {CHOICES.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          title={choice.label}
          aria-label={choice.label}
          aria-pressed={settings.value.theme === choice.theme ? "true" : "false"}
          onClick$={() => app.console.settings.update({ theme: choice.theme })}
        >
          <Icon name={choice.icon} />
        </button>
      ))}
    </div>
  )
})
