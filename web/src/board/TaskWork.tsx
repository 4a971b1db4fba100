import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { type Attempt, readAttempts } from "../core/board/taskAttempts.ts"
import type { TaskEdit } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { useBoard } from "./BoardContext.ts"
import { RunOutcome, RunPanel } from "./RunPanel.tsx"
import { ResultText, TaskResult } from "./TaskTexts.tsx"

/** How an attempt ended, and what it handed in. */
const PastAttempt = component$<{ readonly attempt: Attempt }>((props) => {
  const { cost, result, run } = props.attempt
  return (
    <>
      <section class="stack gap-3 run-panel" aria-label={say("Earlier attempt")}>
        <RunOutcome run={run} cost={cost} />
      </section>
      {result !== null && (
        <section class="task-section" aria-label={say("Result of this attempt")}>
          <ResultText text={result} />
        </section>
      )}
    </>
  )
})

interface TaskWorkProps {
  readonly task: Task
  readonly edit: Signal<TaskEdit>
  /** There are unsaved changes, which the agent wouldn't see. */
  readonly dirty: boolean
}

/** What agents did with a card: the present attempt, and those before it with what they handed in. */
export const TaskWork = component$<TaskWorkProps>((props) => {
  const app = useServices()
  const costs = useReadable(useBoard().costs)
  const attempts = useSignal<ReadonlyArray<Attempt>>([])
  /** The position of an earlier attempt; null for the present one. */
  const shown = useSignal<number | null>(null)
  const { dirty, edit, task } = props

  useBrowserTask$(async ({ track }) => {
    const { id } = props.task
    // A run becomes an attempt of the past when another takes its place, or none.
    track(() => props.task.run?.sessionKey ?? "")
    const known = await readAttempts(app.client.api, id)
    if (known === null) return
    shown.value = null
    attempts.value = known
  })

  const past = shown.value === null ? undefined : attempts.value[shown.value]
  const spent = attempts.value.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  const whole = costs.value.get(task.id)
  const own = whole === undefined ? null : Math.max(0, whole - spent)
  return (
    <>
      {attempts.value.length > 0 && (
        <div class="flex wrap gap-2" role="group" aria-label={say("Attempts")}>
          {[...attempts.value, null].map((attempt, index) => {
            const number = index + 1
            const isShown = attempt === null ? past === undefined : shown.value === index
            return (
              <button
                key={number}
                type="button"
                class="pill"
                aria-pressed={isShown ? "true" : "false"}
                onClick$={() => {
                  shown.value = attempt === null ? null : index
                }}
              >
                {attempt === null && task.run === null ? say("Next attempt") : say("Attempt {number}", { number })}
              </button>
            )
          })}
        </div>
      )}
      {past !== undefined && <PastAttempt key={shown.value} attempt={past} />}
      {past === undefined && <RunPanel task={task} dirty={dirty} cost={own} />}
      {past === undefined && (task.result !== null || task.status === "review" || task.status === "done") && (
        <TaskResult edit={edit} />
      )}
    </>
  )
})
