import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"
import { Select } from "../ui/Select.tsx"
import { ChoiceField, OptionRadio } from "./ChoiceField.tsx"

/** The console in a theme's colours: the sidebar, a conversation and the composer. */
const ThemeSample = component$<{ readonly theme: string }>((props) => (
  <svg class="theme-sample" data-theme={props.theme} viewBox="0 0 120 76" aria-hidden="true">
    <rect fill="var(--paper)" width="120" height="76" />
    <rect fill="var(--paper-sunk)" width="34" height="76" />
    <rect fill="var(--line)" x="34" width="1" height="76" />
    <rect fill="var(--accent)" x="7" y="9" width="8" height="8" rx="2" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="7" y="25" width="20" height="3" rx="1.5" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="7" y="34" width="16" height="3" rx="1.5" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="7" y="43" width="19" height="3" rx="1.5" />
    <rect fill="var(--accent-soft)" x="72" y="9" width="40" height="11" rx="4" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="43" y="28" width="58" height="3" rx="1.5" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="43" y="36" width="66" height="3" rx="1.5" />
    <rect fill="var(--ink-soft)" opacity="0.65" x="43" y="44" width="40" height="3" rx="1.5" />
    <rect fill="var(--paper-raised)" stroke="var(--line)" x="43.5" y="56.5" width="68" height="12" rx="4" />
    <rect fill="var(--accent)" x="101" y="59" width="8" height="7" rx="2" />
  </svg>
))

/** Those that are light or dark as the device is are shown as both. */
const SAMPLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  system: ["light", "dark"],
  contrast: ["contrast", "contrast"]
}

/** The page's colours, each shown as a small picture of the console; a choice applies at once. */
const ThemeField = component$(() => {
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

/** One setting of many values as a list to choose from; a choice applies at once. */
const ChoiceSelect = component$<{ readonly name: keyof SettingValues }>((props) => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  const choice = SETTING_CHOICES.find(({ name }) => name === props.name)
  if (choice === undefined) return null
  const id = `setting-${choice.name}`
  const chosen = choice.options.find((option) => option.isChosen(settings.value))
  return (
    <div class="choice is-beside">
      <label class="choice-label" for={id}>
        {choice.label}
      </label>
      <Select
        id={id}
        class="choice-select"
        value={chosen?.value ?? ""}
        options={choice.options.map(({ value, label }) => ({ value, label }))}
        onChange$={(value) => choice.options.find((option) => option.value === value)?.choose(app.client.settings)}
      />
    </div>
  )
})

/** How the console looks in this browser. */
export const AppearanceSettings = component$(() => (
  <div class="settings-page">
    <div class="settings-group">
      <ThemeField />
      <ChoiceSelect name="language" />
      <ChoiceField name="density" />
      <ChoiceField name="textSize" />
      <ChoiceField name="motion" />
    </div>
    <p class="settings-note">{say("These settings apply right away in all tabs of this browser.")}</p>
  </div>
))
