import { $, component$, useSignal } from "@builder.io/qwik"
import { KindIcon } from "../approvals/ItemHead.tsx"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import type { InboxItem, InboxKind } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { deciderText, decisionText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useNow } from "../ui/useNow.ts"
import { followEnded } from "./followEntries.ts"
import { itemPath } from "./inboxPath.ts"
import { KindFilter } from "./KindFilter.tsx"

/** An item that has ended: what was decided, by whom and when. */
const DecidedRow = component$<{ readonly item: InboxItem; readonly now: number }>((props) => {
  const { item } = props
  const { kind } = item
  const at = item.resolution?.at ?? item.createdAt
  return (
    <a class="stack plain-link hoverable decided" href={itemPath(item.id)} data-decided={item.id}>
      <KindIcon kind={kind} />
      <span class="truncate">{titleOf(item)}</span>
      <span class="truncate small strong decided-how">{decisionText(item)}</span>
      <span class="soft small decided-when" title={fullTime(at)}>
        {`${deciderText(item)} · ${relativeTime(at, props.now)}`}
      </span>
    </a>
  )
})

/** What was decided in the last 30 days, newest first. */
export const DecidedList = component$<{ readonly kind: InboxKind | null }>((props) => {
  const app = useServices()
  const { kind } = props
  const items = useSignal<ReadonlyArray<InboxItem> | null>(null)
  const total = useSignal(0)
  const failure = useSignal<string | null>(null)
  const now = useNow(30_000)

  const more = $(async () => {
    const known = items.value ?? []
    const store = await app.client.inbox.load()
    const answer = await store.readDecided(props.kind, known.length)
    failure.value = answer.ok ? null : answer.error.message
    if (!answer.ok) return
    const ids = new Set(known.map(({ id }) => id))
    items.value = [...known, ...answer.value.items.filter(({ id }) => !ids.has(id))]
    total.value = answer.value.total
  })

  useBrowserTask$(({ cleanup }) => {
    cleanup(
      followEnded(app.client.inbox, {
        onEnded: (item) => {
          const fits = props.kind === null || item.kind === props.kind
          if (!fits || items.value === null) return
          items.value = [item, ...items.value.filter(({ id }) => id !== item.id)]
        },
        begin: more,
        onFailure: () => {
          failure.value = say("Check the connection and try again.")
        }
      })
    )
  })

  const rows = items.value
  return (
    <div class="screen-body inbox">
      <div class="reading-width stack gap-4 inbox-column">
        <KindFilter kind={kind} isDecided={true} items={null} />
        <h2 class="visually-hidden">{say("Decided")}</h2>
        {failure.value !== null && (
          <ErrorState title={say("Couldn't load what was decided")} text={failure.value} onRetry$={more} />
        )}
        {rows === null && failure.value === null && <LoadingState label={say("Loading what was decided…")} />}
        {rows !== null && rows.length === 0 && (
          <EmptyState
            icon="clock"
            title={say("Nothing was decided yet")}
            text={say("What you and others decide stays here for 30 days.")}
          />
        )}
        {rows !== null && rows.length > 0 && (
          <ul class="plain-list surface decided-list">
            {rows.map((item) => {
              const { id } = item
              return (
                <li key={id}>
                  <DecidedRow item={item} now={now.value} />
                </li>
              )
            })}
          </ul>
        )}
        {rows !== null && rows.length < total.value && (
          <button type="button" class="button inbox-more" onClick$={more}>
            {say("Show more")}
          </button>
        )}
      </div>
    </div>
  )
})
