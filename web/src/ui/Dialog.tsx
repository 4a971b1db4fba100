import { component$, type QRL, Slot, useId, useSignal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "./Icon.tsx"
import { useModal } from "./useModal.ts"
import "./dialog.css"

interface DialogProps {
  readonly title: string
  /** Called on Escape, the close button and a click outside; the parent then stops drawing the dialog. */
  readonly onClose$: QRL<() => void>
  /** `small` for a question, `medium` for a form, `large` for a document; on a phone all use the full width. */
  readonly size?: "small" | "medium" | "large"
  /** For dialogs where long text may be typed: a click outside doesn't close it. */
  readonly keepOnBackdrop?: boolean
}

/**
 * A modal dialog, open for as long as it is drawn. The element marked `data-autofocus` gets the focus, otherwise the
 * first field; when the dialog closes, the focus returns to where it was. Footer controls go into the slot `foot`.
 */
export const Dialog = component$<DialogProps>((props) => {
  const dialog = useSignal<HTMLDialogElement>()
  const titleId = useId()

  useModal(dialog, { onClose$: props.onClose$, keepOnBackdrop: props.keepOnBackdrop === true })

  return (
    <dialog ref={dialog} class={["dialog", `is-${props.size ?? "medium"}`]} aria-labelledby={titleId}>
      <div class="flex-column dialog-frame">
        <header class="row gap-3 no-shrink dialog-head">
          <h2 id={titleId}>{props.title}</h2>
          <button type="button" class="icon-button" aria-label={say("Close")} onClick$={() => props.onClose$()}>
            <Icon name="x" />
          </button>
        </header>
        <div class="scroll-y dialog-body">
          <Slot />
        </div>
        <footer class="flex wrap gap-2 no-shrink dialog-foot">
          <Slot name="foot" />
        </footer>
      </div>
    </dialog>
  )
})
