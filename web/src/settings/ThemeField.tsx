import { component$ } from "@builder.io/qwik"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import { OptionRadio } from "./OptionRadio.tsx"
import { ThemeSample } from "./ThemeSample.tsx"

/** Those that are light or dark as the device is are shown as both. */
const SAMPLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  system: ["light", "dark"],
  contrast: ["contrast", "contrast"]
}

/** The page's colours, each shown as a small picture of the console; a choice applies at once. */
export const ThemeField = component$(() => {
  const choice = SETTING_CHOICES.find(({ name }) => name === "theme")
  if (choice === undefined) return null
  return (
    <fieldset class="choice">
      <legend>{choice.label}</legend>
      <div class="theme-options">
        {choice.options.map((option) => (
          <OptionRadio
            key={option.value}
            choice={choice}
            option={option}
            class="theme-option"
            {...(option.value === "contrast" ? { describedBy: "theme-note" } : {})}
          >
            <span class="theme-picture" aria-hidden="true">
              {(SAMPLES[option.value] ?? [option.value]).map((theme, index) => (
                <ThemeSample key={index} theme={theme} />
              ))}
            </span>
          </OptionRadio>
        ))}
      </div>
      <p id="theme-note" hidden>
        {choice.hint}
      </p>
    </fieldset>
  )
})
