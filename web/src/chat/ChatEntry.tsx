import { component$, type QRL } from "@builder.io/qwik"
import type { ChatItem } from "../core/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { AssistantMessage } from "./AssistantMessage.tsx"
import { ThinkingBlock } from "./ThinkingBlock.tsx"
import { ToolCard } from "./ToolCard.tsx"
import { UserMessage } from "./UserMessage.tsx"
import "./disclosure.css"
import "./messages.css"

interface ChatEntryProps {
  readonly item: ChatItem
  /** The newest item, whose turn may be asked again. */
  readonly last: boolean
  /** The end of a turn, where an answer says what it took. */
  readonly closing: boolean
  readonly onRetry$: QRL<(key: string) => void>
  readonly onTakeBack$: QRL<(key: string) => void>
  readonly onSteer$: QRL<(key: string) => void>
  readonly onRegenerate$: QRL<() => void>
}

/** One item of the log, drawn by its kind. */
export const ChatEntry = component$<ChatEntryProps>((props) => {
  const item = props.item
  switch (item.kind) {
    case "user":
      return (
        <UserMessage item={item} onRetry$={props.onRetry$} onTakeBack$={props.onTakeBack$} onSteer$={props.onSteer$} />
      )
    case "assistant":
      return (
        <AssistantMessage item={item} closing={props.closing} last={props.last} onRegenerate$={props.onRegenerate$} />
      )
    case "thinking":
      return <ThinkingBlock item={item} />
    case "tool":
      return <ToolCard item={item} />
    case "error":
      return (
        <div class="run-error" role="alert">
          <Icon name="triangle-alert" />
          <p class="run-error-text">{item.message}</p>
          {props.last && (
            <button type="button" class="button is-small" onClick$={() => props.onRegenerate$()}>
              <Icon name="refresh" />
              <span>Ask again</span>
            </button>
          )}
        </div>
      )
    case "aborted":
      return (
        <div class="run-stopped">
          <p>Stopped</p>
          {props.last && (
            <button type="button" class="button is-small" onClick$={() => props.onRegenerate$()}>
              <Icon name="refresh" />
              <span>Ask again</span>
            </button>
          )}
        </div>
      )
  }
})
