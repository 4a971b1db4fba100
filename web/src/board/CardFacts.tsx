import { component$ } from "@builder.io/qwik"
import type { TaskPriority } from "../../../src/contract/board.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import workflow from "../../icons/workflow.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { CardLimit } from "../budgets/CardLimit.tsx"
import { runPlace } from "../core/board/boardText.ts"
import { isRunning, type Task } from "../core/board/boardTypes.ts"
import type { CardState } from "../core/board/cardState.ts"
import { itemsOf, progressText, progressWords } from "../core/board/checklist.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { clockSpan, workTime } from "../core/common/timeText.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Glyph, LineIcon } from "../ui/Icon.tsx"
import { StateBadge, StateMark } from "../ui/StateBadge.tsx"
import { useNow } from "../ui/useNow.ts"

/** What is written to a card: notes for the agent and comments. */
export const notesOf = (task: Task): number => task.feedback.length + (task.commentCount ?? 0)

/** The one thing that a card waits for. Plain, as there are a thousand of them. */
export const CardWaitNote = ({ text }: { readonly text: string }) => (
  <span class="card-wait" title={text}>
    <Glyph name="hourglass" />
    <span class="truncate">{markUnseen(text, "prose")}</span>
  </span>
)

const STATE_MARKS = {
  running: "working",
  ready: "queued",
  waiting: null,
  review: null,
  failed: "failed",
  "by-hand": null,
  done: "done",
  cancelled: "stopped"
} as const

/** How a card stands, as a mark beside the word for it. */
export const CardStateMark = ({ state }: { readonly state: CardState }) => {
  const mark = STATE_MARKS[state]
  if (mark !== null) return <StateMark state={mark} />
  const icon = state === "waiting" ? "hourglass" : state === "review" ? "eye" : "pencil"
  return <Glyph name={icon} />
}

/** How far a card's checklist and parts are, and how much is written to it. Plain, as there are a thousand of them. */
export const CardTally = ({ task }: { readonly task: Task }) => {
  const items = itemsOf(task.checklist)
  const notes = notesOf(task)
  const { children } = task
  return (
    <>
      {items.length > 0 && (
        <span class="tabular card-steps">
          <Glyph name="check" />
          <span aria-hidden="true">{progressText(items)}</span>
          <span class="visually-hidden">{progressWords(items)}</span>
        </span>
      )}
      {children !== null && (
        <span class="tabular card-parts">
          <LineIcon shapes={workflow} />
          <span aria-hidden="true">{say("{done} of {total}", { done: children.done, total: children.total })}</span>
          <span class="visually-hidden">
            {sayCount(children.total, "{done} of {count} part done", "{done} of {count} parts done", {
              done: children.done
            })}
          </span>
        </span>
      )}
      {notes > 0 && (
        <span class="card-notes">
          <Glyph name="message-square" />
          <span aria-hidden="true">{String(notes)}</span>
          <span class="visually-hidden">{sayCount(notes, "{count} note", "{count} notes")}</span>
        </span>
      )}
    </>
  )
}

const HEIGHTS = [4, 8, 12]

/** Bars that are filled. */
const LEVELS: Readonly<Record<Exclude<TaskPriority, "critical">, number>> = { high: 3, normal: 2, low: 1 }

/** A priority as bars or a mark, so it doesn't rely on colour alone. Drawn inline, because a thousand cards have one each. */
export const PriorityMark = ({ priority }: { readonly priority: TaskPriority }) => (
  <svg class={["priority-mark", `is-${priority}`]} viewBox="0 0 14 14" fill="currentColor" aria-hidden="true">
    {priority === "critical" ? (
      // A filled square with an exclamation mark cut out.
      <path
        d="m4 1h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3Zm2.2 2.5v4.4h1.6V3.5Zm0 5.5v1.6h1.6V9Z"
        fill-rule="evenodd"
      />
    ) : (
      HEIGHTS.map((height, index) => (
        <rect
          key={height}
          x={1 + index * 4.5}
          y={13 - height}
          width="3"
          height={height}
          rx="1"
          opacity={index < LEVELS[priority] ? undefined : "0.4"}
        />
      ))
    )}
  </svg>
)

/** Whether a card has a state of its run to show. */
export const hasRunState = (task: Task): boolean =>
  isRunning(task) || (task.run?.status === "error" && task.status !== "done")

/** The state of the agent's work on a card: at work and since when, waiting for a person, denied or failed. */
export const RunState = component$<{ readonly task: Task }>((props) => {
  const app = useServices()
  const waiting = useReadable(app.client.inbox.keys)
  const denied = useReadable(app.client.inbox.denied)
  const { run } = props.task
  const key = run?.sessionKey ?? ""
  const since = isRunning(props.task) ? (run?.startedAt ?? null) : null
  const isPaused = since !== null && run?.paused != null
  const taskId = props.task.id
  const state = isPaused
    ? "stopped"
    : isRunning(props.task)
      ? waiting.value.has(key)
        ? "waiting"
        : "working"
      : (denied.value.get(key) ?? 0) >= (run?.startedAt ?? 1)
        ? "denied"
        : "failed"
  const words = isPaused ? say("Paused") : STATE_WORDS[state]
  const text = `${words}${isRunning(props.task) ? runPlace(run) : ""}`
  return (
    <span class="card-state">
      <StateBadge state={state} text={text} isPlain />
      {since !== null && !isPaused && <RunClock key={since} since={since} />}
      {since !== null && <CardLimit taskId={taskId} />}
    </span>
  )
})

/** How long an agent has been at work, by the second; alone in ticking, so that its card isn't redrawn. */
const RunClock = component$<{ readonly since: number }>((props) => {
  const now = useNow(1000)
  return <span class="tabular run-clock">{clockSpan(now.value - props.since)}</span>
})

/** How long a finished run took. */
export const RunTook = component$<{ readonly ms: number }>((props) => (
  <span class="tabular" title={say("The agent worked for {time}", { time: workTime(props.ms) })}>
    <span class="visually-hidden">{say("The agent worked for")}</span>
    <span>{workTime(props.ms)}</span>
  </span>
))
