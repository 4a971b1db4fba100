import { component$, useContext, useSignal } from "@builder.io/qwik"
import { editOf } from "../../../src/services/conversations/history/toolText.ts"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { duration } from "../core/common/timeText.ts"
import type { ToolItem } from "../core/conversation/chatTypes.ts"
import { toolsText } from "../core/conversation/groupTools.ts"
import { isOf } from "../core/inbox/inboxTypes.ts"
import { say, sayCount } from "../core/language/say.ts"
import { shortened } from "../core/text/longText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { DiffView } from "../ui/DiffView.tsx"
import { Icon } from "../ui/Icon.tsx"
import { StateMark } from "../ui/StateBadge.tsx"
import { useNow } from "../ui/useNow.ts"
import { argumentsText, toolLine, toolState, toolStatus, toolWaits, type WaitsFor } from "./toolText.ts"

/** Characters of an output shown before "Show all". */
const OUTPUT_LIMIT = 4000

/** How many seconds a running tool has taken. */
const Elapsed = component$<{ readonly since: number }>((props) => {
  const now = useNow(1000)
  return <span class="no-shrink tabular tool-time">{duration(now.value - props.since)}</span>
})

const Output = component$<{ readonly text: string }>((props) => {
  const all = useSignal(false)
  const cut = shortened(props.text, all.value ? Number.POSITIVE_INFINITY : OUTPUT_LIMIT)
  return (
    <div class="tool-part">
      <div class="tool-part-head">
        <h3>{say("Result")}</h3>
        <CopyButton text={props.text} label={say("Copy result")} />
      </div>
      <pre tabIndex={0}>{cut.text}</pre>
      {cut.hidden > 0 && (
        <button
          type="button"
          class="button is-small"
          onClick$={() => {
            all.value = true
          }}
        >
          {say("Show all (+{count})", { count: cut.hidden })}
        </button>
      )}
    </div>
  )
})

/** A tool the agent used: one line, opened for arguments and result; a failed one is open from the start. */
export const ToolCard = component$<{ readonly item: ToolItem; readonly waits: WaitsFor }>((props) => {
  const { inbox } = useServices().client
  const { sessionKey } = useContext(ChatContext)
  const item = props.item
  const waits = toolWaits(item, props.waits)
  // A call that waits for a person may have no target yet.
  const asked = waits === "person" ? inbox.open.get().find((one) => isOf(one, sessionKey)) : null
  const target = toolLine(item) || (asked?.title ?? "")
  const status = waits === "person" ? "waiting" : (waits ?? item.status)
  const state = toolState(item, waits)
  const args = argumentsText(item.args)
  const edit = editOf(item.args)
  const { before = "", after = "" } = edit ?? {}
  return (
    <details
      class={["disclosure tool", `is-${status}`, waits === "person" && "is-running"]}
      open={item.status === "error"}
      data-tool={item.name}
    >
      <summary>
        <Icon name="chevron-right" />
        <StateMark state={state} />
        <span class="no-shrink strong mono tool-name">{item.name}</span>
        <span class="grow mono truncate tool-target">{target}</span>
        <span class="tool-status">{toolStatus(item, waits)}</span>
        {item.status === "running" && waits !== "link" && props.item.startedAt !== null && (
          <Elapsed since={props.item.startedAt} />
        )}
        {item.status !== "running" && item.durationMs !== null && (
          <span class="no-shrink tabular tool-time">{duration(item.durationMs)}</span>
        )}
      </summary>
      <div class="stack gap-2 tool-body">
        {edit !== null && (
          <DiffView
            about={target}
            before={before}
            after={after}
            beforeLabel={say("Before")}
            afterLabel={say("After")}
          />
        )}
        {args !== "" && edit === null && (
          <div class="tool-part">
            <div class="tool-part-head">
              <h3>{say("Arguments")}</h3>
              <CopyButton text={args} label={say("Copy arguments")} />
            </div>
            <pre tabIndex={0}>{args}</pre>
          </div>
        )}
        {item.output !== "" && <Output text={props.item.output} />}
        {item.output === "" && item.status !== "running" && <p class="soft small">{say("No output.")}</p>}
      </div>
    </details>
  )
})

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
