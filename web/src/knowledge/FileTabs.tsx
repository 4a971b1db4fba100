import { component$, type QRL, useConstant } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { Icon } from "../ui/Icon.tsx"
import { FileTab } from "./FileTab.tsx"
import type { FileAction } from "./fileActions.ts"

interface FileTabsProps {
  /** Path of the file shown. */
  readonly current: string | null
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** The open files; on a phone with the way back to the tree. */
export const FileTabs = component$<FileTabsProps>((props) => {
  const app = useServices()
  const files = useConstant(() => knowledgeOf(app.console).files)
  const state = useReadable(files.state)
  return (
    <div class="file-tabs">
      <a class="icon-button file-back" href="/knowledge/files" aria-label="All files">
        <Icon name="arrow-left" />
      </a>
      <ul class="plain-list" aria-label="Open files">
        {state.value.tabs.map((tab) => {
          const { path } = tab
          return <FileTab key={path} tab={tab} current={path === props.current} onAction$={props.onAction$} />
        })}
      </ul>
    </div>
  )
})
