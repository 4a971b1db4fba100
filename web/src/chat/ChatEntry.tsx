import { component$, type QRL } from "@builder.io/qwik"
import type { ChatItem, NoteItem, ThinkingItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { AssistantMessage } from "./AssistantMessage.tsx"
import { chatRequest } from "./chatRequest.ts"
import { ToolCard } from "./ToolCard.tsx"
import type { WaitsFor } from "./toolText.ts"
import { UserMessage } from "./UserMessage.tsx"
import "./messages.css"

/** The agent's thoughts, closed until opened. */
const ThinkingBlock = component$<{ readonly item: ThinkingItem }>((props) => (
  <details class="disclosure is-thinking">
    <summary>
      <Icon name="chevron-right" />
      <Icon name="brain" />
      <span>{props.item.streaming ? say("Thinking…") : say("Thoughts")}</span>
      {props.item.streaming && <span class="spinner" aria-hidden="true" />}
    </summary>
    <p class="soft break-words pre-wrap thinking-text">{props.item.text}</p>
  </details>
))

/** A note this long, or with several lines, starts closed. */
const LONG = 140

/** Text from the gateway or another session, set apart from what people and agents say here. */
const NoteLine = component$<{ readonly item: NoteItem }>((props) => {
  const { from, text } = props.item
  if (text.length <= LONG && !text.includes("\n"))
    return (
      <p class="soft small break-words gateway-note">
        <span class="note-from">{`${from}: `}</span>
        <span>{text}</span>
      </p>
    )
  return (
    <details class="disclosure soft small break-words gateway-note">
      <summary>
        <Icon name="chevron-right" />
        <span class="note-from">{`${from}: `}</span>
        <span class="note-start">{text.slice(0, LONG)}</span>
      </summary>
      <p class="note-text">{text}</p>
    </details>
  )
})

interface ChatEntryProps {
  readonly item: ChatItem
  /** The newest item, whose turn can be regenerated. */
  readonly last: boolean
  /** The end of a turn, where a response shows what it used. */
  readonly closing: boolean
  readonly waits: WaitsFor
  readonly onRegenerate$: QRL<() => void>
}

/** One item in the log, drawn by kind. */
export const ChatEntry = component$<ChatEntryProps>((props) => {
  const item = props.item
  switch (item.kind) {
    case "user":
      return <UserMessage item={item} />
    case "assistant":
      return (
        <AssistantMessage item={item} closing={props.closing} last={props.last} onRegenerate$={props.onRegenerate$} />
      )
    case "thinking":
      return <ThinkingBlock item={item} />
    case "tool":
      return <ToolCard item={item} waits={props.waits} />
    case "error":
      return (
        <div class="row gap-3 run-error" role="alert">
          <Icon name="triangle-alert" />
          <p class="can-shrink break-words run-error-text">{item.message}</p>
          {props.last && (
            <button type="button" class="button is-small" onClick$={() => props.onRegenerate$()}>
              <Icon name="refresh" />
              <span>{say("Regenerate")}</span>
            </button>
          )}
          {props.last && (
            <button type="button" class="button is-small" onClick$={() => chatRequest.set({ kind: "model" })}>
              <Icon name="sliders" />
              <span>{say("Other model")}</span>
            </button>
          )}
        </div>
      )
    case "note":
      return <NoteLine item={item} />
    case "aborted":
      return (
        <div class="row gap-3 soft run-stopped">
          <p>{say("Stopped")}</p>
          {props.last && (
            <button type="button" class="button is-small" onClick$={() => props.onRegenerate$()}>
              <Icon name="refresh" />
              <span>{say("Regenerate")}</span>
            </button>
          )}
        </div>
      )
  }
})
