import { component$, type QRL } from "@builder.io/qwik"
import type { LogPart } from "../core/conversation/groupTools.ts"
import { ChatEntry } from "./ChatEntry.tsx"
import { ToolGroup } from "./ToolGroup.tsx"
import type { WaitsFor } from "./toolText.ts"

interface LogEntryProps {
  readonly part: LogPart
  readonly last: boolean
  readonly closing: boolean
  readonly onRetry$: QRL<(key: string) => void>
  readonly onTakeBack$: QRL<(key: string) => void>
  readonly waits: WaitsFor
  /** What sending a message does while it asks something that one can answer. */
  readonly asks: string | undefined
  readonly onSteer$: QRL<(key: string) => void>
  readonly onAnswer$: QRL<(key: string) => void>
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
      onRetry$={props.onRetry$}
      onTakeBack$={props.onTakeBack$}
      waits={props.waits}
      asks={props.asks}
      onSteer$={props.onSteer$}
      onAnswer$={props.onAnswer$}
      onRegenerate$={props.onRegenerate$}
    />
  )
})
