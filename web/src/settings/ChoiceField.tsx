import { component$, Slot } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { SETTING_CHOICES, type SettingChoice, type SettingOption } from "../core/settings/settingChoices.ts"
import type { SettingValues } from "../core/settings/settingValues.ts"

interface OptionRadioProps {
  readonly choice: SettingChoice
  readonly option: SettingOption
  readonly class: string
  /** The id of what explains it. */
  readonly describedBy?: string
}

/** One of a setting's choices, as a radio button; it applies at once. The slot is shown before its name. */
export const OptionRadio = component$<OptionRadioProps>((props) => {
  const { settings } = useServices().client
  const now = useReadable(settings.state)
  const { choice, option } = props
  return (
    <label class={props.class}>
      <input
        type="radio"
        name={choice.name}
        value={option.value}
        checked={option.isChosen(now.value)}
        aria-describedby={props.describedBy}
        onChange$={() => option.choose(settings)}
      />
      <Slot />
      <span>{option.label}</span>
    </label>
  )
})

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
