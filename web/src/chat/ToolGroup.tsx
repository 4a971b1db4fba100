import { component$, useSignal } from "@builder.io/qwik"
import { toolsText } from "../core/chat/groupTools.ts"
import type { ToolItem } from "../core/chatTypes.ts"
import { duration } from "../core/timeText.ts"
import { Icon } from "../ui/Icon.tsx"
import { ToolCard } from "./ToolCard.tsx"

/** Many finished tool calls in one line, opened on demand; open from the start when one of them failed. */
export const ToolGroup = component$<{ readonly tools: ReadonlyArray<ToolItem> }>((props) => {
  const tools = props.tools
  const failed = tools.filter(({ status }) => status === "error").length
  const open = useSignal(failed > 0)
  const took = tools.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  return (
    <details
      class="disclosure tool-group"
      open={open.value}
      onToggle$={(_, element) => {
        open.value = element.open
      }}
    >
      <summary>
        <Icon name="chevron-right" />
        <Icon name={failed > 0 ? "triangle-alert" : "check"} />
        <span class="tool-name">{`${tools.length} tool calls`}</span>
        <span class="tool-target">{toolsText(tools)}</span>
        {failed > 0 && <span class="tool-status">{`${failed} failed`}</span>}
        {took > 0 && <span class="tool-time">{duration(took)}</span>}
      </summary>
      {open.value && (
        <div class="tool-group-body">
          {tools.map((item) => {
            const { key } = item
            return (
              <div key={key} data-item={key}>
                <ToolCard item={item} />
              </div>
            )
          })}
        </div>
      )}
    </details>
  )
})
