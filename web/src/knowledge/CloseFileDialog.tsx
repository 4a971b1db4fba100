import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { filePath } from "./filePath.ts"

interface CloseFileDialogProps {
  readonly path: string
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

/** Asks what becomes of the unsaved text of a file that is closed. */
export const CloseFileDialog = component$<CloseFileDialogProps>((props) => {
  const app = useServices()
  const files = useConstant(() => knowledgeOf(app.console).files)
  const saving = useSignal(false)
  const name = nameOf(props.path)

  const close = $(async () => {
    const next = files.close(props.path)
    if (props.current === props.path)
      app.router.navigate(next === null ? "/knowledge/files" : filePath(next), { replace: true })
    await props.onDone$()
  })
  const save = $(async () => {
    saving.value = true
    const isSaved = await files.find(props.path)?.document.save()
    saving.value = false
    if (isSaved === true) return close()
    // The file itself says why, or asks how to settle a conflict.
    app.router.navigate(filePath(props.path))
    await props.onDone$()
  })

  return (
    <Dialog title={`Save ${name}?`} size="small" onClose$={() => props.onDone$()}>
      <p>It has text that is not saved.</p>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onDone$()}>
        Cancel
      </button>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        Discard
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        data-autofocus
        disabled={saving.value}
        onClick$={save}
      >
        Save
      </button>
    </Dialog>
  )
})
