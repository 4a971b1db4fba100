import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"
import { standingOf, standingText } from "./activityText.ts"

interface ActivityBadgeProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** How the agent's work stands: waiting for a person, working, denied, failed, done for three seconds, then nothing. */
export const ActivityBadge = component$<ActivityBadgeProps>((props) => {
  const app = useServices()
  const { chat, sessionKey } = props
  const alone = useReadable(useConstant(() => selectReadable(chat.state, (state) => standingOf(state, false))))
  const asking = useReadable(useConstant(() => selectReadable(chat.state, (state) => standingOf(state, true))))
  const activity = useReadable(useConstant(() => selectReadable(chat.state, (state) => state.activity)))
  const waits = useReadable(useConstant(() => selectReadable(app.client.inbox.keys, (keys) => keys.has(sessionKey))))
  const linked = useReadable(useConstant(() => selectReadable(app.client.link.state, ({ phase }) => phase === "ready")))
  const standing = waits.value ? asking.value : alone.value
  const busy = standing === "working" || standing === "stopping"
  return (
    <p class={["activity", `is-${standing}`]} data-activity={activity.value}>
      {standing === "waiting" && <Icon name="hourglass" />}
      {standing === "denied" && <Icon name="shield" />}
      {standing === "failed" && <Icon name="triangle-alert" />}
      {standing === "done" && <Icon name="check" />}
      {busy && linked.value && <span class="spinner" aria-hidden="true" />}
      <span>{busy && !linked.value ? "Not connected" : standingText(standing)}</span>
    </p>
  )
})
