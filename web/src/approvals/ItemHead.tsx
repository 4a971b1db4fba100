import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { chatPath, pathSegment } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { cardTitleOf, headingOf, KIND_WORDS, wordsOf } from "../core/inbox/kindText.ts"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Icon } from "../ui/Icon.tsx"
import { KindIcon } from "./KindIcon.tsx"
import { SinceNote } from "./SinceNote.tsx"
import { useSessionTitle } from "./useSessionTitle.ts"

const boardPath = (taskId: string): string => `/board/${pathSegment(taskId)}`

/**
 * Above an item outside its conversation: what it is about, which leads there, then quietly what it is, what else it
 * belongs to, who asks and since when.
 */
export const ItemHead = component$<{ readonly item: InboxItem }>((props) => {
  const app = useServices()
  const { item } = props
  const { kind, sessionKey, taskId } = item
  const session = useSessionTitle(sessionKey)
  const gateways = useReadable(app.client.gateways)
  const mark = sessionKey === null ? null : markOf(gateways.value, gatewayOfKey(sessionKey))
  // What is asked stands below, so the conversation leads; all else is known by its own title.
  const isAsked = kind === "approval" || kind === "question"
  const place = isAsked ? sessionKey : taskId
  const path = place === null ? null : isAsked ? chatPath(place) : boardPath(place)
  const title = !isAsked ? wordsOf(item).what : sessionKey === null ? headingOf(item) : session.value
  const word = KIND_WORDS[kind]
  return (
    <header class="row gap-2 approval-head">
      <KindIcon kind={kind} />
      <h3 class="strong break-words item-title">
        {path === null ? (
          <span>{title}</span>
        ) : (
          <a href={path} data-about>
            {title}
          </a>
        )}
      </h3>
      <p class="row wrap can-shrink push-end item-links">
        {isAsked && taskId !== null && (
          <a href={boardPath(taskId)} data-about>
            <Icon name="kanban" />
            <span>{cardTitleOf(item)}</span>
          </a>
        )}
        {!isAsked && sessionKey !== null && (
          <a href={chatPath(sessionKey)} data-about>
            <Icon name="message-square" />
            <span>{session.value}</span>
          </a>
        )}
        {mark !== null && <GatewayMark mark={mark} />}
        <span class="item-kind">{word}</span>
        <SinceNote item={item} />
      </p>
    </header>
  )
})
