import { component$ } from "@builder.io/qwik"
import { timeLeft } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { useNow } from "../ui/useNow.ts"

interface TimeLeftProps {
  /** Epoch milliseconds. */
  readonly until: number
  /** What happens then. */
  readonly end: "denied" | "expired"
}

/** The time left to answer, once it is short enough to matter. Screen readers don't announce a running timer. */
export const TimeLeft = component$<TimeLeftProps>((props) => {
  const now = useNow(1_000)
  const left = props.until - now.value
  if (left >= 3_600_000) return null
  const time = timeLeft(left)
  return (
    <p class="approval-time" role="timer">
      {left <= 0
        ? say("Expired.")
        : props.end === "denied"
          ? say("Denied automatically in {time}", { time })
          : say("Expires in {time}", { time })}
    </p>
  )
})
