import { component$ } from "@builder.io/qwik"
import { clockSpan, duration } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { Glyph } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"

/** How long an agent has been at work, by the second; alone in ticking, so that its card isn't redrawn. */
export const RunClock = component$<{ readonly since: number }>((props) => {
  const now = useNow(1000)
  return <span class="run-clock">{clockSpan(now.value - props.since)}</span>
})

/** How long a finished run took. */
export const RunTook = component$<{ readonly ms: number }>((props) => (
  <span class="card-took" title={say("The agent worked for {time}", { time: duration(props.ms) })}>
    <Glyph name="timer" />
    <span class="visually-hidden">{say("The agent worked for")}</span>
    <span>{clockSpan(props.ms)}</span>
  </span>
))
