import { $, component$, type QRL, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import type { OpenTab } from "../core/knowledge/OpenFiles.ts"
import { say } from "../core/language/say.ts"
import { IconButton } from "../ui/IconButton.tsx"
import { type FileAction, filePath, placePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface FileTabProps {
  readonly tab: OpenTab
  readonly current: boolean
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** One open file: its name, a mark while it is unsaved, and a close button. */
export const FileTab = component$<FileTabProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const agent = knowledge.agent
  const files = useConstant(() => knowledge.files)
  const document = useConstant(() => props.tab.document)
  const state = useReadable(document.state)
  const path = props.tab.path
  const name = nameOf(path)
  const folder = nameOf(parentOf(path))
  const close = $(() => {
    if (document.state.get().dirty) return props.onAction$({ kind: "close", path })
    const next = files.close(path)
    if (props.current)
      app.router.navigate(next === null ? placePath(agent, "files") : filePath(agent, next), { replace: true })
  })
  useCommands(() => [
    { id: `files.close ${path}`, label: say("Close {name}", { name }), group: say("Files"), run: close }
  ])
  const { dirty, conflict } = state.value
  const mark = conflict !== null ? "conflict" : dirty ? "unsaved" : ""
  return (
    <li class={["row no-shrink file-tab", props.current && "is-current"]} data-tab={path}>
      <a href={filePath(agent, path)} title={path} aria-current={props.current ? "page" : undefined}>
        <bdi>{name}</bdi>
        {folder !== "" && <bdi class="file-tab-place">{folder}</bdi>}
        {mark !== "" && (
          <span class={["file-dot", `is-${mark}`]}>
            <span class="visually-hidden">{mark === "conflict" ? say("conflict") : say("unsaved")}</span>
          </span>
        )}
      </a>
      <IconButton icon="x" label={say("Close {name}", { name })} title={say("Close")} onClick$={close} />
    </li>
  )
})
