import { component$, type Signal } from "@builder.io/qwik"
import circleHelp from "../../icons/circle-help.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { chatPath, taskPath } from "../base/routes.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { type InboxItem, type InboxKind, shownKeys } from "../core/inbox/inboxTypes.ts"
import { askerOf, cardTitleOf, headingOf, KIND_WORDS, wordsOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Glyph, Icon, type IconName, LineIcon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"

/** The title of the conversation that something belongs to; empty if it belongs to none. */
export const useSessionTitle = (key: string | null): Readonly<Signal<string>> => {
  const { sessions } = useServices().client
  const titleNow = (): string => {
    if (key === null) return ""
    const [row] = shownKeys(key).flatMap((one) => sessions.find(one) ?? [])
    const title = row?.title ?? titleOfKey(key)
    // A card's run without a name of its own.
    return title === say("Card") ? say("Conversation") : title
  }
  return useSelected(sessions.state, titleNow)
}

/** Who asks, and since when. */
export const SinceNote = component$<{ readonly item: Pick<InboxItem, "createdAt" | "sessionKey"> }>((props) => {
  const now = useNow(30_000)
  const { createdAt } = props.item
  const asker = askerOf(props.item)
  const since = relativeTime(createdAt, now.value)
  return (
    <span class="soft small nowrap item-since" title={fullTime(createdAt)}>
      {asker === null ? since : `${asker} · ${since}`}
    </span>
  )
})

const ICONS: Readonly<Record<Exclude<InboxKind, "question">, IconName>> = {
  approval: "shield",
  review: "eye",
  proposal: "kanban",
  failed: "triangle-alert",
  pairing: "monitor",
  budget: "chart",
  blocked: "hourglass"
}

/** How each kind of item is drawn. */
export const KindIcon = (props: { readonly kind: InboxKind }) => {
  const { kind } = props
  if (kind === "question") return <LineIcon shapes={circleHelp} />
  const icon = ICONS[kind]
  return <Glyph name={icon} />
}

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
  // A question follows below, so the heading is its conversation; other items have a title.
  const isAsked = kind === "approval" || kind === "question"
  const place = isAsked ? sessionKey : taskId
  const path = place === null ? null : isAsked ? chatPath(place) : taskPath(place)
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
      <p class="row wrap can-shrink push-end soft small item-links">
        {isAsked && taskId !== null && (
          <a href={taskPath(taskId)} data-about>
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
