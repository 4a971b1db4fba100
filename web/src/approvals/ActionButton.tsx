import { component$, type QRL } from "@builder.io/qwik"
import { timeLeft } from "../core/common/timeText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { keyOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { useNow } from "../ui/useNow.ts"

interface ActionButtonProps {
  readonly action: string
  readonly label: string
  readonly isPrimary?: boolean
  readonly isDisabled: boolean
  readonly title?: string
  /** The id of what explains it. */
  readonly describedBy?: string
  readonly onPress$?: QRL<() => unknown>
}

/** Decides an item. In the inbox its key works too, and is shown on it. */
export const ActionButton = component$<ActionButtonProps>((props) => {
  const key = keyOf(props.action)
  return (
    <button
      type="button"
      class={["button is-small", props.isPrimary === true && "is-primary"]}
      title={props.title ?? ""}
      aria-describedby={props.describedBy}
      disabled={props.isDisabled}
      data-action={props.action}
      onClick$={() => props.onPress$?.()}
    >
      <span>{props.label}</span>
      {key !== null && (
        <span class="action-key" aria-hidden="true">
          {key.toUpperCase()}
        </span>
      )}
    </button>
  )
})

const WORDS: Readonly<Record<string, string>> = {
  "allow-once": say("Allow once"),
  "allow-always": say("Always allow"),
  deny: say("Deny"),
  approve: say("Approve"),
  reject: say("Reject"),
  "send-back": say("Send back"),
  retry: say("Retry"),
  dismiss: say("Dismiss"),
  answer: say("Answer"),
  skip: say("Skip"),
  again: say("Once more"),
  raise: say("Raise"),
  finish: say("Finish up"),
  keep: say("Keep paused"),
  "start-anyway": say("Start anyway"),
  unlink: say("Remove the link"),
  resume: say("Switch on again")
}

/** What an action is called in the page's language; as the server calls it if it's unknown here. */
export const actionText = ({ id, label }: Pick<InboxItem["actions"][number], "id" | "label">): string =>
  WORDS[id] ?? label

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
