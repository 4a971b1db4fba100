import { component$ } from "@builder.io/qwik"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import { OptionRadio } from "./OptionRadio.tsx"
import "./themeSample.css"

/** The console in a theme's colours: the sidebar, a conversation and the composer. */
const ThemeSample = component$<{ readonly theme: string }>((props) => (
  <svg class="theme-sample" data-theme={props.theme} viewBox="0 0 120 76" aria-hidden="true">
    <rect class="sample-paper" width="120" height="76" />
    <rect class="sample-side" width="34" height="76" />
    <rect class="sample-line" x="34" width="1" height="76" />
    <rect class="sample-accent" x="7" y="9" width="8" height="8" rx="2" />
    <rect class="sample-text" x="7" y="25" width="20" height="3" rx="1.5" />
    <rect class="sample-text" x="7" y="34" width="16" height="3" rx="1.5" />
    <rect class="sample-text" x="7" y="43" width="19" height="3" rx="1.5" />
    <rect class="sample-own" x="72" y="9" width="40" height="11" rx="4" />
    <rect class="sample-text" x="43" y="28" width="58" height="3" rx="1.5" />
    <rect class="sample-text" x="43" y="36" width="66" height="3" rx="1.5" />
    <rect class="sample-text" x="43" y="44" width="40" height="3" rx="1.5" />
    <rect class="sample-field" x="43.5" y="56.5" width="68" height="12" rx="4" />
    <rect class="sample-accent" x="101" y="59" width="8" height="7" rx="2" />
  </svg>
))

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
            class="stack gap-2 soft small theme-option"
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
