import { component$, type QRL } from "@builder.io/qwik"
import type { LogPart } from "../core/chat/groupTools.ts"
import { ChatEntry } from "./ChatEntry.tsx"
import { ToolGroup } from "./ToolGroup.tsx"

interface LogEntryProps {
  readonly part: LogPart
  readonly last: boolean
  readonly closing: boolean
  readonly onRetry$: QRL<(key: string) => void>
  readonly onTakeBack$: QRL<(key: string) => void>
  readonly onSteer$: QRL<(key: string) => void>
  readonly onRegenerate$: QRL<() => void>
}

/** One item of the log, or a row of tool calls. */
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
      onRetry$={props.onRetry$}
      onTakeBack$={props.onTakeBack$}
      onSteer$={props.onSteer$}
      onRegenerate$={props.onRegenerate$}
    />
  )
})
