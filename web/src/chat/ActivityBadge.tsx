import { component$, useConstant } from "@builder.io/qwik"
import { selectReadable } from "../app/selectReadable.ts"
import { useReadable } from "../app/useReadable.ts"
import type { ChatStore } from "../core/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { activityLabel } from "./activityText.ts"

/** What the agent does now: thinking, writing, done for three seconds, then nothing. */
export const ActivityBadge = component$<{ readonly chat: ChatStore }>((props) => {
  const chat = props.chat
  const label = useReadable(useConstant(() => selectReadable(chat.state, activityLabel)))
  const activity = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.activity)))
  return (
    <p class={["activity", `is-${activity.value.toLowerCase()}`]} data-activity={activity.value}>
      {activity.value === "DONE" && <Icon name="check" />}
      {(activity.value === "THINKING" || activity.value === "STREAMING") && <span class="spinner" aria-hidden="true" />}
      <span>{label.value}</span>
    </p>
  )
})
