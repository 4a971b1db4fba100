import { component$, type QRL, type Signal, useConstant, useSignal } from "@builder.io/qwik"
import upload from "../../icons/upload.svg?shapes"
import { useCommands } from "../base/useCommands.ts"
import { say } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import type { FileAction } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { targetFolder, type Uploads } from "./useUploads.ts"
import "../ui/searchField.css"

interface FileToolsProps {
  readonly query: Signal<string>
  readonly selected: Signal<string | null>
  readonly uploads: Uploads
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** The tools above the tree: the filter, and buttons to create, upload and restore files. */
export const FileTools = component$<FileToolsProps>((props) => {
  const knowledge = useKnowledge()
  const tree = useConstant(() => knowledge.tree)
  const picker = useSignal<HTMLInputElement>()
  const folder = () => targetFolder(tree, props.selected.value)
  const menu: ReadonlyArray<MenuItem> = [
    { label: say("New file"), icon: "file", run: () => props.onAction$({ kind: "newFile", folder: folder() }) },
    { label: say("New folder"), icon: "plus", run: () => props.onAction$({ kind: "newFolder", folder: folder() }) },
    { label: say("Upload files"), icon: "arrow-up", run: () => picker.value?.click() },
    { label: say("Trash"), icon: "trash", run: () => props.onAction$({ kind: "trash" }) },
    { label: say("Collapse all folders"), run: () => tree.closeAll() },
    { label: say("Refresh"), icon: "refresh", run: () => tree.load() }
  ]
  useCommands(() => [
    { id: "files.upload", label: say("Upload files"), group: say("Files"), run: () => picker.value?.click() },
    { id: "files.collapse", label: say("Collapse all folders"), group: say("Files"), run: () => tree.closeAll() },
    { id: "files.refresh", label: say("Refresh the list of files"), group: say("Files"), run: () => tree.load() }
  ])
  return (
    <div class="row gap-1 no-shrink border-bottom file-tools">
      <div class="field-search">
        <Icon name="search" />
        <input
          class="field"
          type="search"
          placeholder={say("Filter files")}
          aria-label={say("Filter files")}
          autocomplete="off"
          bind:value={props.query}
        />
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={say("Upload files")}
        title={say("Upload files")}
        onClick$={() => picker.value?.click()}
      >
        <LineIcon shapes={upload} />
      </button>
      <MenuButton label={say("New file, trash and more")} icon="plus" items={menu} />
      <input
        ref={picker}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange$={(_, element) => {
          props.uploads.add([...(element.files ?? [])], folder())
          // Otherwise the same file couldn't be picked again.
          element.value = ""
        }}
      />
    </div>
  )
})
