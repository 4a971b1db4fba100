import { component$, Slot } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import type { SettingChoice, SettingOption } from "../core/settings/settingChoices.ts"

interface OptionRadioProps {
  readonly choice: SettingChoice
  readonly option: SettingOption
  readonly class: string
  /** The id of what explains it. */
  readonly describedBy?: string
}

/** One of a setting's choices, as a radio button; it applies at once. What stands before its name goes into the slot. */
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
