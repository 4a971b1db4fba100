import { component$, type QRL, type Signal, Slot, useId, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"
import { IconButton } from "./IconButton.tsx"
import "./dialog.css"

interface ModalOptions {
  readonly onClose$: QRL<() => void>
  /** A click outside the dialog doesn't close it. */
  readonly keepOnBackdrop: boolean
}

/**
 * Opens a dialog as a modal for as long as its component lives: Escape and a click outside ask to close, the focus
 * goes to what is marked `data-autofocus` or to the first control of its body, and returns to where it was at the
 * end.
 */
export const useModal = (dialog: Signal<HTMLDialogElement | undefined>, options: ModalOptions): void => {
  const { onClose$, keepOnBackdrop } = options
  useBrowserTask$(({ cleanup }) => {
    const element = dialog.value
    if (element === undefined) return
    const opener = document.activeElement
    let pressedBeside = false
    const close = () => void onClose$()
    const onCancel = (event: Event) => {
      event.preventDefault()
      close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return
      // Escape is for this dialog and nothing behind it.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
    const onPress = (event: Event) => {
      pressedBeside = event.target === element
    }
    const onClick = (event: Event) => {
      if (event.target === element && pressedBeside && !keepOnBackdrop) close()
    }
    element.addEventListener("cancel", onCancel)
    element.addEventListener("keydown", onKey)
    element.addEventListener("pointerdown", onPress)
    element.addEventListener("click", onClick)
    element.showModal()
    const first =
      element.querySelector<HTMLElement>("[data-autofocus]") ??
      element.querySelector<HTMLElement>(".dialog-body :is(input, textarea, select, button, a[href])")
    first?.focus()
    cleanup(() => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    })
  })
}

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
          <IconButton icon="x" label={say("Close")} onClick$={() => props.onClose$()} />
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
