import { component$, type QRL } from "@builder.io/qwik"
import type { LogPart } from "../core/conversation/groupTools.ts"
import { ChatEntry } from "./ChatEntry.tsx"
import { ToolGroup } from "./ToolGroup.tsx"
import type { WaitsFor } from "./toolText.ts"

interface LogEntryProps {
  readonly part: LogPart
  readonly last: boolean
  readonly closing: boolean
  readonly waits: WaitsFor
  readonly onRegenerate$: QRL<() => void>
}

/** One item in the log, or a row of tool calls. */
export const LogEntry = component$<LogEntryProps>((props) => {
  const part = props.part
  if (part.kind === "tools") {
    const { tools } = part
    return <ToolGroup tools={tools} />
  }
  const { item } = part
  return (
    <ChatEntry
      item={item}
      last={props.last}
      closing={props.closing}
      waits={props.waits}
      onRegenerate$={props.onRegenerate$}
    />
  )
})
