import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { allFolders, isInside, joinPath, movedPath, nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { filePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface MoveFileDialogProps {
  readonly path: string
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

const MAX_SHOWN = 200

/** Asks which folder to move a file or folder to. */
export const MoveFileDialog = component$<MoveFileDialogProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const tree = useConstant(() => knowledge.tree)
  const query = useSignal("")
  const chosen = useSignal<string | null>(null)
  const saving = useSignal(false)
  const problem = useSignal<string | null>(null)
  // A folder can't go into itself, and staying in place isn't a move.
  const folders = useConstant(() =>
    ["", ...allFolders(tree.state.get().nodes)].filter(
      (folder) => folder !== parentOf(props.path) && (folder === "" || !isInside(props.path, folder))
    )
  )

  const save = $(async () => {
    if (saving.value || chosen.value === null) return
    saving.value = true
    problem.value = null
    const to = joinPath(chosen.value, nameOf(props.path))
    const result = await tree.move(props.path, to)
    saving.value = false
    if (!result.ok) {
      problem.value = result.error.message
      return
    }
    tree.reveal(to)
    if (props.current !== null)
      app.router.navigate(filePath(knowledge.agent, movedPath(props.current, props.path, to)), { replace: true })
    await props.onDone$()
  })

  const words = query.value.trim().toLowerCase()
  const shown = folders.filter((folder) => folder.toLowerCase().includes(words)).slice(0, MAX_SHOWN)
  return (
    <Dialog title={say("Move {name}", { name: nameOf(props.path) })} size="small" onClose$={() => props.onDone$()}>
      <form id="move-file" class="stack gap-3" preventdefault:submit onSubmit$={save}>
        <input
          class="field"
          type="search"
          placeholder={say("Find a folder")}
          aria-label={say("Find a folder")}
          autocomplete="off"
          data-autofocus
          bind:value={query}
        />
        <fieldset class="move-list">
          <legend class="visually-hidden">{say("Folder")}</legend>
          {shown.map((folder) => (
            <label key={folder} class="row gap-3 break-words move-folder">
              <input
                type="radio"
                name="folder"
                value={folder}
                checked={chosen.value === folder}
                onChange$={() => {
                  chosen.value = folder
                }}
              />
              <span>{folder === "" ? say("Top folder") : folder}</span>
            </label>
          ))}
          {shown.length === 0 && <p class="files-note">{say("No other folders found")}</p>}
        </fieldset>
        {problem.value !== null && (
          <p class="memory-hint is-warning" role="alert">
            {problem.value}
          </p>
        )}
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onDone$()}>
        {say("Cancel")}
      </button>
      <button
        q:slot="foot"
        type="submit"
        form="move-file"
        class="button is-primary"
        disabled={saving.value || chosen.value === null}
      >
        {say("Move")}
      </button>
    </Dialog>
  )
})
