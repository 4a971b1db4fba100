import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { joinPath, movedPath, nameOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import type { FileAction } from "./fileActions.ts"
import { filePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

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
export const FileNameDialog = component$<FileNameDialogProps>((props) => {
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
