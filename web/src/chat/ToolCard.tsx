import { component$, useContext, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { duration } from "../core/common/timeText.ts"
import type { ToolItem } from "../core/conversation/chatTypes.ts"
import { editOf } from "../core/conversation/toolText.ts"
import { isOf } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
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
  return <span class="tool-time">{duration(now.value - props.since)}</span>
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
  // A call that waits for a person may not tell yet what it is about, but they are asked.
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
        <span class="tool-name">{item.name}</span>
        <span class="tool-target">{target}</span>
        <span class="tool-status">{toolStatus(item, waits)}</span>
        {item.status === "running" && waits !== "link" && props.item.startedAt !== null && (
          <Elapsed since={props.item.startedAt} />
        )}
        {item.status !== "running" && item.durationMs !== null && (
          <span class="tool-time">{duration(item.durationMs)}</span>
        )}
      </summary>
      <div class="tool-body">
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
        {item.output === "" && item.status !== "running" && <p class="tool-empty">{say("No output.")}</p>}
      </div>
    </details>
  )
})
