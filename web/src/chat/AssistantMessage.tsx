import { component$, type QRL } from "@builder.io/qwik"
import type { Chart } from "../../../src/contract/markers/chart.ts"
import { type MarkedPart, type MarkedText, parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { shownAnswer } from "../../../src/services/conversations/history/liveMedia.ts"
import volume from "../../icons/volume-2.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { LOADS_LATER } from "../base/followPart.ts"
import { usePart } from "../base/usePart.ts"
import { clockTime } from "../core/common/timeText.ts"
import type { AssistantItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { LineIcon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { CutNote, MessageMedia, ProposalChips } from "./MessageParts.tsx"

interface AnswerToolsProps {
  readonly text: string
  /** The newest response, which can be regenerated. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

/** What can be done with a response besides copying it. */
const AnswerTools = component$<AnswerToolsProps>((props) => {
  const app = useServices()
  return (
    <>
      {props.last && (
        <IconButton
          class="copy-button"
          icon="refresh"
          label={say("Regenerate")}
          onClick$={() => props.onRegenerate$()}
        />
      )}
      <button
        type="button"
        class="icon-button copy-button"
        aria-label={say("Read aloud")}
        title={say("Read aloud")}
        onClick$={async () => {
          // In one chunk with the microphone, which is there by then.
          const { readAloud } = await import("../voice/VoiceControl.tsx")
          await readAloud(app, props.text)
        }}
      >
        <LineIcon shapes={volume} />
      </button>
    </>
  )
})

/** A chart in a response. The drawing code loads with the first one; few conversations have any. */
const LazyChart = component$<{ readonly chart: Chart }>((props) => {
  const arriving = usePart(() => import("../ui/charts/ChartFigure.tsx"))
  const { part, failed } = arriving.value
  if (part !== null) return <part.ChartFigure chart={props.chart} />
  return failed ? (
    <p class="chip">{say("Couldn't load this chart. {when}", { when: LOADS_LATER })}</p>
  ) : (
    <div class="chart-coming" />
  )
})

interface AssistantMessageProps {
  readonly item: AssistantItem
  readonly closing: boolean
  /** The newest item, whose response can be regenerated. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

const proposedIn = ({ tasks }: Pick<MarkedText, "tasks">) => tasks

interface AnswerPartProps {
  readonly part: MarkedPart
  readonly streaming: boolean
  readonly isWhole: boolean
}

const AnswerPart = component$<AnswerPartProps>((props) =>
  props.part.kind === "chart" ? (
    <LazyChart chart={props.part.chart} />
  ) : (
    <MarkdownText text={props.part.text} streaming={props.streaming} isWhole={props.isWhole} />
  )
)

/** An agent's response: text and charts in order, proposed cards, and what it used. */
export const AssistantMessage = component$<AssistantMessageProps>((props) => {
  const item = props.item
  const { at, key } = item
  const { media, text } = shownAnswer(item)
  const marked = parseMarkers(text, item.streaming)
  const tasks = proposedIn(marked)
  const last = marked.parts.length - 1
  const visible = marked.text.trim()
  return (
    <article
      class={["stack gap-2 can-shrink message is-assistant", item.injected && "is-injected"]}
      aria-label={say("Agent")}
    >
      {marked.parts.map((part, index) => (
        <AnswerPart
          key={`${part.kind}-${index}`}
          part={part}
          streaming={item.streaming && index === last}
          isWhole={item.isAskedFor === true}
        />
      ))}
      {media.length > 0 && <MessageMedia media={media} />}
      {item.isCut === true && <CutNote itemKey={key} what="response" empty={text === ""} />}
      {tasks.length > 0 && <ProposalChips tasks={tasks} at={at} />}
      {props.closing && !item.streaming && (visible !== "" || media.length > 0) && (
        <footer class="row wrap message-foot">
          {visible !== "" && <CopyButton text={visible} label={say("Copy response")} />}
          {!item.injected && (
            <span class={["answer-tools", props.last && "is-last"]}>
              <AnswerTools text={text} last={props.last} onRegenerate$={props.onRegenerate$} />
            </span>
          )}
          {at !== null && <TimeMark class="message-note" at={at} text={clockTime(at, Date.now())} />}
          {item.model !== null && !item.injected && <span class="message-note">{item.model}</span>}
          {item.usage !== null && (
            <span class="message-note is-usage">
              {say("{input} tokens in · {output} out", { input: item.usage.input, output: item.usage.output })}
            </span>
          )}
        </footer>
      )}
    </article>
  )
})
