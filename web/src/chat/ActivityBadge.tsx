import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { StateBadge } from "../ui/StateBadge.tsx"
import { standingOf, standingState, standingText, whileWaiting } from "./activityText.ts"

interface ActivityBadgeProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** How the agent's work stands: waiting for a person, working, denied, failed; nothing once it's done. */
export const ActivityBadge = component$<ActivityBadgeProps>((props) => {
  const app = useServices()
  const { chat, sessionKey } = props
  const alone = useReadable(useConstant(() => selectReadable(chat.state, standingOf)))
  const activity = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.activity)))
  const waits = useReadable(useConstant(() => selectReadable(app.client.inbox.keys, (keys) => keys.has(sessionKey))))
  const standing = whileWaiting(alone.value, waits.value)
  const state = standingState(standing)
  const text = standingText(standing)
  return (
    <p class="activity" data-activity={activity.value}>
      {state !== null && <StateBadge state={state} text={text} isPlain />}
    </p>
  )
})
