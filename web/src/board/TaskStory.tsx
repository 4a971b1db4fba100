import { component$ } from "@builder.io/qwik"
import { chatPath } from "../base/routes.ts"
import { actorText } from "../core/board/boardText.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { taskHistory } from "../core/board/taskHistory.ts"
import { clockTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useNow } from "../ui/useNow.ts"
import { useBoard } from "./BoardContext.ts"
import "../ui/fold.css"

/** The notes people left for the agent, oldest first, as a conversation. */
export const FeedbackThread = component$<{ readonly task: Task }>((props) => {
  const now = useNow(60_000)
  if (props.task.feedback.length === 0) return null
  return (
    <section class="task-section" aria-labelledby="task-notes-title">
      <h3 id="task-notes-title">{say("Notes")}</h3>
      <ol class="plain-list feedback">
        {props.task.feedback.map((entry, index) => {
          const { at } = entry
          return (
            <li key={`${entry.at}-${index}`}>
              <p class="space-between gap-3 small feedback-head">
                <b>{actorText(entry.by)}</b>
                <TimeMark at={at} text={relativeTime(entry.at, now.value)} />
              </p>
              <p class="break-words pre-wrap feedback-note">{entry.note}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
})

/** Who did what to a card, and when, as far as the board knows. */
export const TaskHistory = component$<{ readonly task: Task }>((props) => {
  const ui = useBoard()
  const now = useNow(60_000)
  const source = props.task.sourceSessionKey
  const entries = taskHistory(props.task, ui.state.value.proposals, ui.state.value.config)
  return (
    <details class="task-section fold task-history">
      <summary>
        <h3>{say("History")}</h3>
      </summary>
      <ol class="plain-list">
        {entries.map((entry, index) => {
          const { at } = entry
          return (
            <li key={`${entry.at}-${index}`}>
              <p>
                {entry.by !== null && <b>{actorText(entry.by)}</b>}
                <span>{entry.what}</span>
                <TimeMark at={at} text={clockTime(entry.at, now.value)} />
              </p>
              {entry.note !== null && <p class="break-words pre-wrap soft history-note">{entry.note}</p>}
            </li>
          )
        })}
      </ol>
      {source !== null && (
        <p>
          <a href={chatPath(source)}>{say("Open the conversation this card came from")}</a>
        </p>
      )}
    </details>
  )
})
