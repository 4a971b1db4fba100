import { component$ } from "@builder.io/qwik"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"
import { OptionRadio } from "./OptionRadio.tsx"

interface ChoiceFieldProps {
  readonly name: keyof SettingValues
}

/** One setting as a row of choices; a choice applies at once. */
export const ChoiceField = component$<ChoiceFieldProps>((props) => {
  const choice = SETTING_CHOICES.find(({ name }) => name === props.name)
  if (choice === undefined) return null
  return (
    <fieldset class="choice is-beside" aria-describedby={choice.hint === undefined ? undefined : `${choice.name}-hint`}>
      <legend>{choice.label}</legend>
      <div class="segmented choice-segments">
        {choice.options.map((option) => (
          <OptionRadio key={option.value} choice={choice} option={option} class="choice-segment" />
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
