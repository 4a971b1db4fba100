import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { type ChatStanding, standingOf, standingText, whileWaiting } from "./activityText.ts"

interface ActivityBadgeProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

const ICONS: Partial<Record<ChatStanding, IconName>> = {
  waiting: "hourglass",
  unlinked: "hourglass",
  denied: "shield",
  failed: "triangle-alert",
  done: "check"
}

/** How the agent's work stands: waiting for a person, working, denied, failed, done for three seconds, then nothing. */
export const ActivityBadge = component$<ActivityBadgeProps>((props) => {
  const app = useServices()
  const { chat, sessionKey } = props
  const alone = useReadable(useConstant(() => selectReadable(chat.state, standingOf)))
  const activity = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.activity)))
  const waits = useReadable(useConstant(() => selectReadable(app.client.inbox.keys, (keys) => keys.has(sessionKey))))
  const standing = whileWaiting(alone.value, waits.value)
  const icon = ICONS[standing]
  return (
    <p class={["activity", `is-${standing}`]} data-activity={activity.value}>
      {icon !== undefined && <Icon name={icon} />}
      {(standing === "working" || standing === "stopping") && <span class="spinner" aria-hidden="true" />}
      <span>{standingText(standing)}</span>
    </p>
  )
})
