import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import { ThemeSample } from "./ThemeSample.tsx"

/** The device's own choice is one of two. */
const samplesOf = (theme: string): ReadonlyArray<string> => (theme === "system" ? ["light", "dark"] : [theme])

/** The page's colours, each shown as a small picture of the console; a choice applies at once. */
export const ThemeField = component$(() => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  const choice = SETTING_CHOICES.find(({ name }) => name === "theme")
  if (choice === undefined) return null
  const now = settings.value
  return (
    <fieldset class="choice" aria-describedby="theme-hint">
      <legend>{choice.label}</legend>
      <div class="theme-options">
        {choice.options.map((option) => (
          <label key={option.value} class="theme-option">
            <input
              type="radio"
              name={choice.name}
              value={option.value}
              checked={option.isChosen(now)}
              onChange$={() => option.choose(app.client.settings)}
            />
            <span class="theme-picture" aria-hidden="true">
              {samplesOf(option.value).map((theme) => (
                <ThemeSample key={theme} theme={theme} />
              ))}
            </span>
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <p id="theme-hint" class="field-hint">
        {choice.hint}
      </p>
    </fieldset>
  )
})
