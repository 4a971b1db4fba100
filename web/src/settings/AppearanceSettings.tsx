import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"
import { Select } from "../ui/Select.tsx"
import { ChoiceField } from "./ChoiceField.tsx"
import { ThemeField } from "./ThemeField.tsx"

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
