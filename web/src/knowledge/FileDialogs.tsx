import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { allFolders, isInside, joinPath, movedPath, nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { deleteFile, type FileAction, filePath, placePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { TrashDialog } from "./TrashDialog.tsx"

interface MoveFileDialogProps {
  readonly path: string
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

const MAX_SHOWN = 200

/** Asks which folder to move a file or folder to. */
const MoveFileDialog = component$<MoveFileDialogProps>((props) => {
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
  const matching = folders.filter((folder) => folder.toLowerCase().includes(words)).slice(0, MAX_SHOWN)
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
          {matching.map((folder) => (
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
          {matching.length === 0 && <p class="files-note">{say("No other folders found")}</p>}
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

interface FileNameDialogProps {
  readonly action: Exclude<FileAction, { readonly kind: "trash" }>
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

const TITLES = { newFile: say("New file"), newFolder: say("New folder"), rename: say("Rename") }

const names = keptValues<string>()

/** What is wrong with a name; null for a valid one. */
const nameProblem = (name: string): string | null => {
  if (/[/\\]/.test(name)) return say("A name can't contain a slash.")
  return name === "." || name === ".." ? say("Choose another name.") : null
}

/** Asks for the name of something new, or a new name for something that exists. */
const FileNameDialog = component$<FileNameDialogProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const tree = useConstant(() => knowledge.tree)
  const action = props.action
  const before = "path" in action ? nameOf(action.path) : ""
  const key = `${knowledge.agent} ${action.kind} ${"path" in action ? action.path : action.folder}`
  const name = useKept(names, key, () => before)
  const saving = useSignal(false)
  const problem = useSignal<string | null>(null)
  const field = useSignal<HTMLInputElement>()

  useBrowserTask$(() => {
    // The extension usually stays the same.
    const dot = before.lastIndexOf(".")
    field.value?.setSelectionRange(0, dot > 0 ? dot : before.length)
  })

  const end = $(() => {
    names.delete(key)
    return props.onDone$()
  })
  const change = $((next: string) => {
    if ("path" in action) return tree.rename(action.path, next)
    const path = joinPath(action.folder, next)
    return action.kind === "newFolder" ? tree.createFolder(path) : tree.createFile(path)
  })
  const save = $(async () => {
    const next = name.value.trim()
    problem.value = nameProblem(next)
    if (saving.value || next === "" || problem.value !== null) return
    if (next === before) return end()
    saving.value = true
    const result = await change(next)
    saving.value = false
    if (!result.ok) {
      problem.value = result.error.message
      return
    }
    tree.reveal(result.value)
    if (action.kind === "newFolder") await tree.toggle(result.value, true)
    if (action.kind === "newFile") app.router.navigate(filePath(knowledge.agent, result.value))
    else if ("path" in action && props.current !== null) {
      const moved = movedPath(props.current, action.path, result.value)
      app.router.navigate(filePath(knowledge.agent, moved), { replace: true })
    }
    await end()
  })

  const title = action.kind === "newFile" || action.kind === "newFolder" ? TITLES[action.kind] : TITLES.rename
  const place = "folder" in action && action.folder !== "" ? say("In {folder}", { folder: action.folder }) : ""
  return (
    <Dialog title={title} size="small" onClose$={end}>
      <form id="file-name" preventdefault:submit onSubmit$={save}>
        <Field label={say("Name")} for="file-name-field" hint={place} error={problem.value}>
          <input
            ref={field}
            id="file-name-field"
            class="field"
            data-autofocus
            autocomplete="off"
            autoCapitalize="off"
            spellcheck={false}
            maxLength={255}
            aria-describedby="file-name-field-hint"
            aria-invalid={problem.value === null ? undefined : "true"}
            bind:value={name}
          />
        </Field>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={end}>
        {say("Cancel")}
      </button>
      <button
        q:slot="foot"
        type="submit"
        form="file-name"
        class="button is-primary"
        disabled={saving.value || name.value.trim() === ""}
      >
        {action.kind === "rename" ? say("Rename") : say("Create")}
      </button>
    </Dialog>
  )
})

interface CloseFileDialogProps {
  readonly path: string
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

/** Asks what to do with the unsaved text of a file being closed. */
const CloseFileDialog = component$<CloseFileDialogProps>((props) => {
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

interface FileDialogsProps {
  readonly action: FileAction
  /** Path of the file shown. */
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

/** The dialog for an action on a file. */
export const FileDialogs = component$<FileDialogsProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const action = props.action
  const path = "path" in action ? action.path : ""
  const remove = $(async () => {
    await deleteFile(app, knowledge, path)
    await props.onDone$()
  })
  switch (action.kind) {
    case "trash":
      return <TrashDialog onDone$={props.onDone$} />
    case "close":
      return <CloseFileDialog path={path} current={props.current} onDone$={props.onDone$} />
    case "move":
      return <MoveFileDialog path={path} current={props.current} onDone$={props.onDone$} />
    case "delete":
      return (
        <ConfirmDialog
          title={say("Delete {name}?", { name: nameOf(path) })}
          confirmLabel={say("Delete")}
          danger
          onConfirm$={remove}
          onCancel$={() => props.onDone$()}
        >
          <p>{say("These files don't go to the trash. They'll be deleted permanently.")}</p>
        </ConfirmDialog>
      )
    default:
      return <FileNameDialog action={action} current={props.current} onDone$={props.onDone$} />
  }
})
