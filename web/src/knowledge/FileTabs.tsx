import { component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { useShownTab } from "../ui/useShownTab.ts"
import { FileTab } from "./FileTab.tsx"
import type { FileAction } from "./fileActions.ts"
import { placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface FileTabsProps {
  /** Path of the file shown. */
  readonly current: string | null
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** The open files; on a phone only if there are several, with a way back to the tree. */
export const FileTabs = component$<FileTabsProps>((props) => {
  const knowledge = useKnowledge()
  const files = useConstant(() => knowledge.files)
  const state = useReadable(files.state)
  const bar = useSignal<HTMLElement>()
  useShownTab(bar, () => props.current)
  return (
    <div ref={bar} class="file-tabs">
      <a class="icon-button file-back" href={placePath(knowledge.agent, "files")} aria-label={say("All files")}>
        <Icon name="arrow-left" />
      </a>
      <ul class="plain-list" aria-label={say("Open files")}>
        {state.value.tabs.map((tab) => {
          const { path } = tab
          return <FileTab key={path} tab={tab} current={path === props.current} onAction$={props.onAction$} />
        })}
      </ul>
    </div>
  )
})
