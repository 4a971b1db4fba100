import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { runPlace } from "../core/board/boardText.ts"
import { isRunning, type Task } from "../core/board/boardTypes.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { clockSpan, duration } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { StateBadge } from "../ui/StateBadge.tsx"
import { useNow } from "../ui/useNow.ts"

/** Whether a card has a state of its run to show. */
export const hasRunState = (task: Task): boolean =>
  isRunning(task) || (task.run?.status === "error" && task.status !== "done")

/** How the agent's work on a card stands: at work and since when, waiting for a person, denied or failed. */
export const RunState = component$<{ readonly task: Task }>((props) => {
  const app = useServices()
  const waiting = useReadable(app.client.inbox.keys)
  const denied = useReadable(app.client.inbox.denied)
  const { run } = props.task
  const key = run?.sessionKey ?? ""
  const since = isRunning(props.task) ? (run?.startedAt ?? null) : null
  const state = isRunning(props.task)
    ? waiting.value.has(key)
      ? "waiting"
      : "working"
    : (denied.value.get(key) ?? 0) >= (run?.startedAt ?? 1)
      ? "denied"
      : "failed"
  const text = `${STATE_WORDS[state]}${isRunning(props.task) ? runPlace(run) : ""}`
  return (
    <span class="card-state">
      <StateBadge state={state} text={text} isPlain />
      {since !== null && <RunClock key={since} since={since} />}
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
  <span class="tabular" title={say("The agent worked for {time}", { time: duration(props.ms) })}>
    <span class="visually-hidden">{say("The agent worked for")}</span>
    <span>{duration(props.ms)}</span>
  </span>
))
