import { component$, useSignal } from "@builder.io/qwik"
import { editOf, type FileEdit } from "../core/chat/editOf.ts"
import type { ToolItem } from "../core/chatTypes.ts"
import { duration } from "../core/timeText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { DiffView } from "../ui/DiffView.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { argumentsText, shortened, toolTarget } from "./toolText.ts"

/** Characters of an output shown before "Show all". */
const OUTPUT_LIMIT = 4000

const STATUS: Readonly<Record<ToolItem["status"], string>> = {
  running: "Running",
  done: "Done",
  error: "Failed",
  aborted: "Stopped"
}

/** The seconds a running tool has worked. */
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
        <h3>Result</h3>
        <CopyButton text={props.text} label="Copy the result" />
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
          {`Show all (${cut.hidden.toLocaleString()} more characters)`}
        </button>
      )}
    </div>
  )
})

const EditView = component$<{ readonly edit: FileEdit }>((props) => {
  const { before, after } = props.edit
  return <DiffView before={before} after={after} beforeLabel="Before" afterLabel="After" />
})

/** A tool the agent used: one line, opened for arguments and result; a failed one is open from the start. */
export const ToolCard = component$<{ readonly item: ToolItem }>((props) => {
  const item = props.item
  const target = item.title ?? toolTarget(item.args)
  const args = argumentsText(item.args)
  const edit = editOf(item.args)
  return (
    <details class={["disclosure tool", `is-${item.status}`]} open={item.status === "error"} data-tool={item.name}>
      <summary>
        <Icon name="chevron-right" />
        {item.status === "running" ? (
          <span class="spinner" aria-hidden="true" />
        ) : (
          <Icon name={item.status === "done" ? "check" : item.status === "error" ? "triangle-alert" : "square"} />
        )}
        <span class="tool-name">{item.name}</span>
        <span class="tool-target">{target}</span>
        <span class="tool-status">{STATUS[item.status]}</span>
        {item.status === "running" && props.item.startedAt !== null && <Elapsed since={props.item.startedAt} />}
        {item.status !== "running" && item.durationMs !== null && (
          <span class="tool-time">{duration(item.durationMs)}</span>
        )}
      </summary>
      <div class="tool-body">
        {edit !== null && <EditView edit={edit} />}
        {args !== "" && edit === null && (
          <div class="tool-part">
            <div class="tool-part-head">
              <h3>Arguments</h3>
              <CopyButton text={args} label="Copy the arguments" />
            </div>
            <pre tabIndex={0}>{args}</pre>
          </div>
        )}
        {item.output !== "" && <Output text={props.item.output} />}
        {item.output === "" && item.status !== "running" && <p class="tool-empty">No output.</p>}
      </div>
    </details>
  )
})
