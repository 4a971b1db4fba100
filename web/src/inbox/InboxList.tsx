import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { actionText } from "../approvals/ActionButton.tsx"
import { decide } from "../approvals/decide.ts"
import { ItemCard, useSeen } from "../approvals/ItemCard.tsx"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { NARROW, useMedia } from "../base/useMedia.ts"
import { useReadable } from "../base/useReadable.ts"
import { unknownWaiting } from "../connection/connectionText.ts"
import type { InboxItem, InboxKind } from "../core/inbox/inboxTypes.ts"
import { keyOf, titleOf } from "../core/inbox/kindText.ts"
import { say, sayCount } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { followEntries, holdMoved } from "./followEntries.ts"
import { InboxRow } from "./InboxRow.tsx"
import { inboxKeys } from "./inboxKeys.ts"
import { groupsOfKey, offeredBy } from "./inboxPath.ts"
import { KindFilter } from "./KindFilter.tsx"
import "../ui/selectionBar.css"

interface SelectedBarProps {
  readonly items: ReadonlyArray<InboxItem>
  /** Everything that could be selected. */
  readonly total: number
  readonly onAll$: QRL<() => void>
  readonly onClear$: QRL<() => void>
}

/** What can be done with the selected items: each action with the items that offer it. */
const SelectedBar = component$<SelectedBarProps>((props) => {
  const app = useServices()
  const { items } = props
  const act = $(async (action: string) => {
    const those = props.items.filter((item) => item.actions.some(({ id }) => id === action))
    props.onClear$()
    await decide(app, those, { action }, { isSaid: true })
  })
  const offers = offeredBy(items)
  return (
    <div class="selection-bar inbox-selected" role="toolbar" aria-label={say("Selected items")}>
      <span class="selection-count">{sayCount(items.length, "{count} selected", "{count} selected")}</span>
      <span class="flex wrap gap-2 inbox-selected-actions">
        {offers.map(({ id, label, count }, index) => {
          const text = actionText({ id, label })
          return (
            <button
              key={id}
              type="button"
              class={["button is-small", index === 0 && "is-primary"]}
              onClick$={() => act(id)}
            >
              <span>{count === items.length ? text : `${text} (${count})`}</span>
              <span class="action-key" aria-hidden="true">
                {keyOf(id)?.toUpperCase() ?? ""}
              </span>
            </button>
          )
        })}
      </span>
      {offers.length === 0 && <span class="soft small">{say("There's no action for all of these at once")}</span>}
      <span class="flex gap-2 push-end inbox-selected-end">
        {items.length < props.total && (
          <button type="button" class="button is-small" onClick$={() => props.onAll$()}>
            {say("Select all {total}", { total: props.total })}
          </button>
        )}
        <button type="button" class="button is-small" onClick$={() => props.onClear$()}>
          {say("Clear")}
        </button>
      </span>
    </div>
  )
})

interface InboxEntryProps {
  readonly item: InboxItem
  readonly isSelected: boolean
  /** A phone shows the item in short; what takes more than a yes or no is decided on its own screen. */
  readonly isShort: boolean
  readonly isHeld: boolean
  readonly onToggle$: QRL<(id: string) => void>
}

/** An item in the list: a box to select it, and the card. */
const InboxEntry = component$<InboxEntryProps>((props) => {
  const { item } = props
  const title = titleOf(item)
  return (
    <article
      class={["inbox-entry", props.isSelected && "is-selected", props.isHeld && "is-held"]}
      tabIndex={-1}
      aria-label={title}
      data-entry={item.id}
    >
      <label class="place-center inbox-select">
        <input
          type="checkbox"
          aria-label={say("Select “{title}”", { title })}
          checked={props.isSelected}
          onChange$={() => props.onToggle$(props.item.id)}
        />
      </label>
      {props.isShort ? <InboxRow item={item} isHeld={props.isHeld} /> : <ItemCard item={item} isLinked={true} />}
    </article>
  )
})

/** Items drawn at first, and added by each request. */
const STEP = 50

const countOf = (items: ReadonlyArray<InboxItem>): number => items.length

const ofKind = (items: ReadonlyArray<InboxItem>, kind: InboxKind | null) =>
  kind === null ? items : items.filter((item) => item.kind === kind)

/** Everything that waits, nearest deadline first, each with what it needs. */
export const InboxList = component$<{ readonly kind: InboxKind | null }>((props) => {
  const app = useServices()
  const { kind } = props
  const open = useReadable(app.client.inbox.open, { perFrame: true })
  const failure = useReadable(app.client.inbox.failure)
  const link = useReadable(app.client.link.state)
  const server = useReadable(app.client.gatewayStatus)
  const limit = useSignal(STEP)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const list = useSignal<HTMLElement>()
  const isNarrow = useMedia(NARROW)
  const isHeld = useSignal(false)
  useSeen()

  const items = ofKind(open.value, kind)
  const shown = items.slice(0, limit.value)
  const total = countOf(items)
  const chosen = items.filter(({ id }) => selected.value.has(id))

  const unknown = unknownWaiting(link.value, server.value)
  const isEmpty = failure.value === null && items.length === 0

  const toggle = $((id: string) => {
    const next = new Set(selected.value)
    if (!next.delete(id)) next.add(id)
    selected.value = next
  })
  const selectAll = $(() => {
    selected.value = new Set(ofKind(app.client.inbox.open.get(), props.kind).map(({ id }) => id))
  })
  const clear = $(() => {
    selected.value = new Set()
  })
  const read = $(async () => (await app.client.inbox.load()).read())

  useBrowserTask$(({ cleanup }) => {
    const element = list.value
    if (element === undefined) return
    const { kind } = props
    const { inbox } = app.client
    const counted = () => ofKind(inbox.open.get(), kind)
    cleanup(
      inboxKeys({
        list: element,
        more: () => {
          const hasMore = limit.value < counted().length
          if (hasMore) limit.value += STEP
          return hasMore
        },
        toggle: (id) => {
          const next = new Set(selected.value)
          if (!next.delete(id)) next.add(id)
          selected.value = next
        },
        clear: () => {
          const isAny = selected.value.size > 0
          selected.value = new Set()
          return isAny
        },
        actOnSelected: (key) => {
          const chosen = counted().filter(({ id }) => selected.value.has(id))
          const groups = groupsOfKey(chosen, key)
          if (groups.size === 0) return false
          selected.value = new Set()
          for (const [action, those] of groups) void decide(app, those, { action }, { isSaid: true })
          return true
        }
      })
    )
    cleanup(followEntries(app, element))
    cleanup(
      holdMoved(inbox.open, (isMoved) => {
        isHeld.value = isMoved
      })
    )
  })

  return (
    <>
      <div class="screen-body inbox" ref={list}>
        <div class="reading-width stack gap-4 inbox-column">
          {(open.value.length > 0 || kind !== null) && <KindFilter kind={kind} isDecided={false} items={open.value} />}
          <h2 class="visually-hidden">{say("Waiting for you")}</h2>
          {typeof failure.value === "string" && (
            <ErrorState title={say("Couldn't load the inbox")} text={failure.value} onRetry$={read} />
          )}
          {failure.value === undefined && items.length === 0 && <LoadingState label={say("Loading the inbox…")} />}
          {isEmpty && unknown !== null && (
            <EmptyState
              icon="inbox"
              title={say("The console can't see what the gateway asks")}
              text={say("{unknown} Permission requests and questions appear here once it's connected.", { unknown })}
            />
          )}
          {isEmpty && unknown === null && kind !== null && (
            <EmptyState icon="check" title={say("Nothing of this kind is waiting for you")} />
          )}
          {isEmpty && unknown === null && kind === null && (
            <EmptyState
              icon="check"
              title={say("Nothing is waiting for you")}
              text={say(
                "Agents' permission requests and questions, proposed cards, cards to review, failed runs and new devices appear here."
              )}
            />
          )}
          <ul class="plain-list stack gap-3 inbox-list">
            {shown.map((item) => {
              const { id } = item
              return (
                <li key={id}>
                  <InboxEntry
                    item={item}
                    isSelected={selected.value.has(id)}
                    isShort={isNarrow.value}
                    isHeld={isNarrow.value && isHeld.value}
                    onToggle$={toggle}
                  />
                </li>
              )
            })}
          </ul>
          {shown.length < items.length && (
            <button
              type="button"
              class="button inbox-more"
              onClick$={() => {
                limit.value += STEP
              }}
            >
              {say("Show more ({left} left)", { left: items.length - shown.length })}
            </button>
          )}
        </div>
      </div>
      {chosen.length > 0 && <SelectedBar items={chosen} total={total} onAll$={selectAll} onClear$={clear} />}
    </>
  )
})
