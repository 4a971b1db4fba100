import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"

interface ChoiceFieldProps {
  readonly name: keyof SettingValues
}

/** One setting as a row of choices; a choice applies at once. */
export const ChoiceField = component$<ChoiceFieldProps>((props) => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  const choice = SETTING_CHOICES.find(({ name }) => name === props.name)
  if (choice === undefined) return null
  const now = settings.value
  return (
    <fieldset class="choice is-beside" aria-describedby={choice.hint === undefined ? undefined : `${choice.name}-hint`}>
      <legend>{choice.label}</legend>
      <div class="segmented choice-segments">
        {choice.options.map((option) => (
          <label key={option.value} class="choice-segment">
            <input
              type="radio"
              name={choice.name}
              value={option.value}
              checked={option.isChosen(now)}
              onChange$={() => option.choose(app.client.settings)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {choice.hint !== undefined && (
        <p id={`${choice.name}-hint`} class="field-hint">
          {choice.hint}
        </p>
      )}
    </fieldset>
  )
})
