import type { QRL, Signal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

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
