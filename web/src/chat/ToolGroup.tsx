import { component$, useSignal } from "@builder.io/qwik"
import { duration } from "../core/common/timeText.ts"
import type { ToolItem } from "../core/conversation/chatTypes.ts"
import { toolsText } from "../core/conversation/groupTools.ts"
import { sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { StateMark } from "../ui/StateBadge.tsx"
import { ToolCard } from "./ToolCard.tsx"

/** Many finished tool calls in one line, opened on demand; starts open if one of them failed. */
export const ToolGroup = component$<{ readonly tools: ReadonlyArray<ToolItem> }>((props) => {
  const tools = props.tools
  const failed = tools.filter(({ status }) => status === "error").length
  const denied = tools.filter(({ status }) => status === "denied").length
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
        <StateMark state={failed > 0 ? "failed" : denied > 0 ? "denied" : "done"} />
        <span class="no-shrink strong mono tool-name">
          {sayCount(tools.length, "{count} tool call", "{count} tool calls")}
        </span>
        <span class="grow mono truncate tool-target">{toolsText(tools)}</span>
        {failed > 0 && <span class="tool-status">{sayCount(failed, "{count} failed", "{count} failed")}</span>}
        {denied > 0 && <span class="tool-status">{sayCount(denied, "{count} denied", "{count} denied")}</span>}
        {took > 0 && <span class="no-shrink tabular tool-time">{duration(took)}</span>}
      </summary>
      {open.value && (
        <div class="stack gap-2 tool-group-body">
          {tools.map((item) => {
            const { key } = item
            return (
              <div key={key} data-item={key}>
                <ToolCard item={item} waits={null} />
              </div>
            )
          })}
        </div>
      )}
    </details>
  )
})
