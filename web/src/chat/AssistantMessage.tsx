import { component$, type QRL } from "@builder.io/qwik"
import { type MarkedPart, parseMarkers } from "../../../src/services/markers/parseMarkers.ts"
import type { AssistantItem } from "../core/chatTypes.ts"
import { clockTime } from "../core/timeText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LazyChart } from "./charts/LazyChart.tsx"
import { MarkdownText } from "./MarkdownText.tsx"

interface AssistantMessageProps {
  readonly item: AssistantItem
  readonly closing: boolean
  /** The newest item, whose question may be asked again. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

const taskTitle = (payload: Readonly<Record<string, unknown>>): string =>
  typeof payload.title === "string" ? payload.title : typeof payload.id === "string" ? payload.id : ""

const AnswerPart = component$<{ readonly part: MarkedPart; readonly streaming: boolean }>((props) =>
  props.part.kind === "chart" ? (
    <LazyChart chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={props.streaming} />
  )
)

/** An answer of the agent: text and charts in their order, proposed tasks, what it took. */
export const AssistantMessage = component$<AssistantMessageProps>((props) => {
  const item = props.item
  const marked = parseMarkers(item.text, item.streaming)
  const last = marked.parts.length - 1
  const visible = marked.text.trim()
  return (
    <article class={["message is-assistant", item.injected && "is-injected"]} aria-label="Agent">
      {marked.parts.map((part, index) => (
        <AnswerPart key={`${part.kind}-${index}`} part={part} streaming={item.streaming && index === last} />
      ))}
      {marked.tasks.length > 0 && (
        <ul class="plain-list proposals">
          {marked.tasks.map((task, index) => (
            <li key={`task-${index}`} class="chip">
              <Icon name="kanban" />
              <span class="chip-label">{task.kind === "create" ? "Proposed task" : "Proposed change"}</span>
              <span>{taskTitle(task.payload)}</span>
            </li>
          ))}
        </ul>
      )}
      {props.closing && !item.streaming && visible !== "" && (
        <footer class="message-foot">
          <CopyButton text={visible} label="Copy this answer" />
          {props.last && !item.injected && (
            <button
              type="button"
              class="icon-button copy-button"
              aria-label="Ask again"
              title="Ask again"
              onClick$={() => props.onRegenerate$()}
            >
              <Icon name="refresh" />
            </button>
          )}
          {item.at !== null && <time class="message-note">{clockTime(item.at, Date.now())}</time>}
          {item.model !== null && !item.injected && <span class="message-note">{item.model}</span>}
          {item.usage !== null && (
            <span class="message-note" title="Tokens read and written">
              {`${item.usage.input.toLocaleString()} in · ${item.usage.output.toLocaleString()} out`}
            </span>
          )}
        </footer>
      )}
    </article>
  )
})
