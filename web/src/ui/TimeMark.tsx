import { component$ } from "@builder.io/qwik"
import { fullTime, isoTime } from "../core/common/timeText.ts"

interface TimeMarkProps {
  /** Epoch milliseconds. */
  readonly at: number
  /** The time as it's shown. */
  readonly text: string
  readonly class?: string
}

/** A time in few words; machines read it exactly, and people who point at it read date and time in full. */
export const TimeMark = component$<TimeMarkProps>((props) => (
  <time class={props.class} dateTime={isoTime(props.at)} title={fullTime(props.at)}>
    {props.text}
  </time>
))
