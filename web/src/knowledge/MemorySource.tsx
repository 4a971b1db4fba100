import { component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { isElsewhere } from "../core/knowledge/agentConnections.ts"
import { say } from "../core/language/say.ts"
import { useNow } from "../ui/useNow.ts"
import { filePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface MemorySourceProps {
  /** The file that the memories are in. */
  readonly path: string
  /** Whether to say when the file was changed; a day's name says its date already. */
  readonly isDated: boolean
  /** Changes with the memories, so that the date follows. */
  readonly revision: unknown
}

/** Where memories come from, and when they last changed: the file, which the agent writes too. */
export const MemorySource = component$<MemorySourceProps>((props) => {
  const knowledge = useKnowledge()
  const now = useNow(60_000)
  const changedAt = useSignal<number | null>(null)
  useBrowserTask$(async ({ track }) => {
    track(() => props.revision)
    if (!props.isDated) return
    const read = await knowledge.readText(props.path)
    const at = read.ok ? Number(read.value.version) : Number.NaN
    changedAt.value = Number.isFinite(at) ? at : null
  })
  const { path } = props
  const at = changedAt.value
  return (
    <p class="row wrap soft small memory-source">
      {isElsewhere(knowledge.agent) ? (
        <code dir="ltr">{path}</code>
      ) : (
        <a href={filePath(knowledge.agent, path)}>
          <code dir="ltr">{path}</code>
        </a>
      )}
      {at !== null && <span title={fullTime(at)}>{say("changed {when}", { when: relativeTime(at, now.value) })}</span>}
    </p>
  )
})
