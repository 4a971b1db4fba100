import { component$, type QRL, Slot, useId, useSignal } from "@builder.io/qwik"
import { Icon } from "./Icon.tsx"
import { useModal } from "./useModal.ts"
import "./dialog.css"

interface DialogProps {
  readonly title: string
  /** Asked for by Escape, the close button and a click beside the dialog; the parent then stops drawing the dialog. */
  readonly onClose$: QRL<() => void>
  /** `small` for a question, `medium` for a form, `large` for a document; on a phone all fill the width. */
  readonly size?: "small" | "medium" | "large"
  /** For text that may be long and typed in: a click beside the dialog closes nothing. */
  readonly keepOnBackdrop?: boolean
}

/**
 * A modal dialog, open for as long as it is drawn. The element marked `data-autofocus` gets the focus, else the first
 * field; when the dialog goes, the focus returns to where it was. Controls for its foot go into the slot `foot`.
 */
export const Dialog = component$<DialogProps>((props) => {
  const dialog = useSignal<HTMLDialogElement>()
  const titleId = useId()

  useModal(dialog, { onClose$: props.onClose$, keepOnBackdrop: props.keepOnBackdrop === true })

  return (
    <dialog ref={dialog} class={["dialog", `is-${props.size ?? "medium"}`]} aria-labelledby={titleId}>
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id={titleId}>{props.title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick$={() => props.onClose$()}>
            <Icon name="x" />
          </button>
        </header>
        <div class="dialog-body">
          <Slot />
        </div>
        <footer class="dialog-foot">
          <Slot name="foot" />
        </footer>
      </div>
    </dialog>
  )
})
