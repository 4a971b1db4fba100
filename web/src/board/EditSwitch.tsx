import { component$, type Signal } from "@builder.io/qwik"
import { focusWhenThere } from "../base/focusWhenThere.ts"
import { Icon } from "../ui/Icon.tsx"

interface EditSwitchProps {
  readonly writing: Signal<boolean>
  /** The field's id; it takes the focus when it appears. */
  readonly for: string
  /** What a press does while the text is read, and while it's written. */
  readonly edit: string
  readonly read: string
}

/** Switches a text between its field and how it reads. */
export const EditSwitch = component$<EditSwitchProps>((props) => {
  const { writing } = props
  const label = writing.value ? props.read : props.edit
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      data-edit-switch
      onClick$={() => {
        const { writing } = props
        writing.value = !writing.value
        if (writing.value) focusWhenThere(document.body, `#${props.for}`)
      }}
    >
      <Icon name={writing.value ? "eye" : "pencil"} />
    </button>
  )
})
