import { component$ } from "@builder.io/qwik"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import { OptionRadio } from "./OptionRadio.tsx"
import { ThemeSample } from "./ThemeSample.tsx"

/** The device's own choice is one of two. */
const samplesOf = (theme: string): ReadonlyArray<string> => (theme === "system" ? ["light", "dark"] : [theme])

/** The page's colours, each shown as a small picture of the console; a choice applies at once. */
export const ThemeField = component$(() => {
  const choice = SETTING_CHOICES.find(({ name }) => name === "theme")
  if (choice === undefined) return null
  return (
    <fieldset class="choice" aria-describedby="theme-hint">
      <legend>{choice.label}</legend>
      <div class="theme-options">
        {choice.options.map((option) => (
          <OptionRadio key={option.value} choice={choice} option={option} class="theme-option">
            <span class="theme-picture" aria-hidden="true">
              {samplesOf(option.value).map((theme) => (
                <ThemeSample key={theme} theme={theme} />
              ))}
            </span>
          </OptionRadio>
        ))}
      </div>
      <p id="theme-hint" class="field-hint">
        {choice.hint}
      </p>
    </fieldset>
  )
})
