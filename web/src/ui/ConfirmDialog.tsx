import { component$, type QRL, Slot, useSignal } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Dialog } from "./Dialog.tsx"

interface ConfirmDialogProps {
  readonly title: string
  /** What happens, as the verb on the button: "Delete card". */
  readonly confirmLabel: string
  /** The label of the other button; "Cancel" if left out. */
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Both buttons wait for it. */
  readonly onConfirm$: QRL<() => unknown>
  readonly onCancel$: QRL<() => void>
}

/**
 * Asks before something that can't be undone; the consequences go into the slot. The cancel button has the focus, and
 * Enter only presses the focused button: it never confirms by itself.
 */
export const ConfirmDialog = component$<ConfirmDialogProps>((props) => {
  const busy = useSignal(false)
  return (
    <Dialog title={props.title} size="small" onClose$={() => props.onCancel$()}>
      <Slot />
      <button
        q:slot="foot"
        type="button"
        class="button"
        data-autofocus
        disabled={busy.value}
        onClick$={() => props.onCancel$()}
      >
        {props.cancelLabel ?? say("Cancel")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class={["button", props.danger === true ? "is-danger" : "is-primary"]}
        disabled={busy.value}
        onClick$={async () => {
          busy.value = true
          await props.onConfirm$()
          busy.value = false
        }}
      >
        {props.confirmLabel}
      </button>
    </Dialog>
  )
})
