import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { chatPath, pathSegment } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { cardTitleOf } from "../core/inbox/kindText.ts"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Icon } from "../ui/Icon.tsx"
import { SinceNote } from "./SinceNote.tsx"
import { useSessionTitle } from "./useSessionTitle.ts"

/** Where an item belongs: its conversation and its card. */
export const ItemLinks = component$<{ readonly item: InboxItem }>((props) => {
  const app = useServices()
  const { kind, sessionKey, taskId } = props.item
  // Other kinds have their card's title below, which leads there.
  const isAside = taskId !== null && (kind === "approval" || kind === "question")
  const title = useSessionTitle(sessionKey)
  const gateways = useReadable(app.client.gateways)
  const mark = sessionKey === null ? null : markOf(gateways.value, gatewayOfKey(sessionKey))
  return (
    <p class="item-links">
      {isAside && (
        <a href={`/board/${pathSegment(taskId)}`} data-about>
          <Icon name="kanban" />
          <span>{cardTitleOf(props.item)}</span>
        </a>
      )}
      {sessionKey !== null && (
        <a href={chatPath(sessionKey)} data-about>
          <Icon name="message-square" />
          <span>{title.value}</span>
        </a>
      )}
      {mark !== null && <GatewayMark mark={mark} />}
      <SinceNote item={props.item} />
    </p>
  )
})
