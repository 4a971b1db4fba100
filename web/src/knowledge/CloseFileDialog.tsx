import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { filePath, placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface CloseFileDialogProps {
  readonly path: string
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

/** Asks what to do with the unsaved text of a file being closed. */
export const CloseFileDialog = component$<CloseFileDialogProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const agent = knowledge.agent
  const files = useConstant(() => knowledge.files)
  const saving = useSignal(false)
  const name = nameOf(props.path)

  const close = $(async () => {
    const next = files.close(props.path)
    if (props.current === props.path)
      app.router.navigate(next === null ? placePath(agent, "files") : filePath(agent, next), { replace: true })
    await props.onDone$()
  })
  const save = $(async () => {
    saving.value = true
    const isSaved = await files.find(props.path)?.document.save()
    saving.value = false
    if (isSaved === true) return close()
    // The file itself says why, or asks how to resolve a conflict.
    app.router.navigate(filePath(agent, props.path))
    await props.onDone$()
  })

  return (
    <Dialog title={say("Save {name}?", { name })} size="small" onClose$={() => props.onDone$()}>
      <p>{say("It has unsaved changes.")}</p>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onDone$()}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Discard")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        data-autofocus
        disabled={saving.value}
        onClick$={save}
      >
        {say("Save")}
      </button>
    </Dialog>
  )
})
