import { $, component$, useSignal } from "@builder.io/qwik"
import { ItemCard, useSeen } from "../approvals/ItemCard.tsx"
import { CommandText, ItemDetail } from "../approvals/ItemDetail.tsx"
import { ItemHead } from "../approvals/ItemHead.tsx"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { fullTime } from "../core/common/timeText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { titleOf, wordsOf } from "../core/inbox/kindText.ts"
import { deciderText, decisionText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { followEnded, HOLD_MS } from "./followEntries.ts"
import { inboxKeys } from "./inboxKeys.ts"
import { itemPath } from "./inboxPath.ts"

/** An item that has ended, alone: what was decided, when and by whom. */
const EndedCard = component$<{ readonly item: InboxItem }>((props) => {
  const { item } = props
  const { what, more } = wordsOf(item)
  const at = item.resolution?.at ?? item.createdAt
  return (
    <section class={["approval is-ended", `is-${item.kind}`]} aria-label={say("Decided")} data-ended={item.id}>
      <ItemHead item={item} />
      {item.kind === "approval" && <CommandText text={what} />}
      {item.kind === "question" && <p class="strong break-words item-title">{what}</p>}
      <ItemDetail item={item} text={more} />
      <div class="item-end">
        <Icon name={item.resolution?.by === "timeout" ? "hourglass" : "check"} />
        <p class="strong break-words">{decisionText(item)}</p>
        <p class="approval-detail">{`${deciderText(item)} · ${fullTime(at)}`}</p>
      </div>
    </section>
  )
})

interface AloneHeadProps {
  readonly id: string
  /** Everything that waits, in the order of the list. */
  readonly open: ReadonlyArray<InboxItem>
}

/** Above one item: the way back to all of them, its place among them, and the next one. */
const AloneHead = component$<AloneHeadProps>((props) => {
  const { id, open } = props
  const at = open.findIndex((one) => one.id === id)
  const next = open[at + 1] ?? (at === 0 ? undefined : open[0])
  return (
    <nav class="row gap-3 inbox-alone-head" aria-label={say("Items")}>
      <a class="back-link" href={below("/inbox")}>
        <Icon name="arrow-left" />
        <span>{say("All items")}</span>
      </a>
      {at >= 0 && open.length > 1 && (
        <span class="push-end soft small tabular">
          {say("{place} of {count}", { place: at + 1, count: open.length })}
        </span>
      )}
      {next !== undefined && (
        <a class="back-link inbox-next" href={itemPath(next.id)} data-next>
          <span>{at < 0 ? say("Next item") : say("Later")}</span>
          <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  )
})

/** When an item was decided that another one followed. */
let wentOnAt = Number.NEGATIVE_INFINITY

/** One item alone, as a phone or a notification opens it; the next one follows when it is decided. */
export const ItemView = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const { id } = props
  const open = useReadable(app.client.inbox.open)
  const failure = useReadable(app.client.inbox.failure)
  /** The item as the server knows it, if it isn't open here. */
  const found = useSignal<InboxItem | null>(null)
  const problem = useSignal<string | null>(null)
  const body = useSignal<HTMLElement>()
  const isHeld = useSignal(() => performance.now() - wentOnAt < HOLD_MS)
  /** Its place among those that wait, which the next one takes. */
  const place = useSignal(0)
  useSeen()

  const find = $(async () => {
    const store = await app.client.inbox.load()
    const answer = await store.find(props.id)
    if (answer.ok) found.value = answer.value
    problem.value = answer.ok ? null : answer.error.kind === "not_found" ? "" : answer.error.message
  })

  const goOn = $(() => {
    const others = app.client.inbox.open.get().filter((one) => one.id !== props.id)
    const next = others[place.value] ?? others[0]
    if (next === undefined) return
    wentOnAt = performance.now()
    app.router.navigate(itemPath(next.id))
  })

  useBrowserTask$(({ cleanup }) => {
    const release = setTimeout(() => {
      isHeld.value = false
    }, HOLD_MS)
    cleanup(() => clearTimeout(release))
    const { open } = app.client.inbox
    const notePlace = (items: ReadonlyArray<InboxItem>) => {
      const at = items.findIndex((one) => one.id === props.id)
      if (at >= 0) place.value = at
    }
    notePlace(open.get())
    cleanup(open.subscribe(notePlace))
    cleanup(
      followEnded(app.client.inbox, {
        onEnded: (item) => {
          if (item.id === props.id) found.value = item
        },
        begin: find,
        onFailure: () => {
          problem.value = say("Check the connection and try again.")
        }
      })
    )
    if (body.value !== undefined)
      cleanup(
        inboxKeys({
          list: body.value,
          isAlone: true,
          more: () => false,
          toggle: () => {},
          clear: () => false,
          actOnSelected: () => false
        })
      )
  })

  const waiting = open.value.find((one) => one.id === id)
  // Open at the server, but not here: it is decided, and that can still be undone.
  const isDeferred = waiting === undefined && found.value?.state === "open" && failure.value === null
  const item = waiting ?? (isDeferred ? null : found.value)
  return (
    <div class="screen-body inbox is-alone" ref={body}>
      <div class="reading-width stack gap-4 inbox-column">
        <AloneHead id={id} open={open.value} />
        <h2 class="visually-hidden">{item === null ? say("Item") : titleOf(item)}</h2>
        {isDeferred && (
          <EmptyState icon="check" title={say("Decided")} text={say("You can undo it for a few seconds.")} />
        )}
        {item === null && !isDeferred && problem.value === null && <LoadingState label={say("Loading…")} />}
        {item === null && problem.value === "" && (
          <ErrorState
            isMissing
            title={say("There's no such item")}
            text={say("It may have been decided more than 30 days ago: older items are removed.")}
            action={say("All items")}
            href={below("/inbox")}
          />
        )}
        {item === null && problem.value !== null && problem.value !== "" && (
          <ErrorState title={say("Couldn't load this")} text={problem.value} onRetry$={find} />
        )}
        {item !== null && item.state === "open" && (
          <article class={["inbox-entry", isHeld.value && "is-held"]} tabIndex={-1} data-entry={item.id}>
            <ItemCard item={item} isLinked={true} isHeld={isHeld.value} onDecided$={goOn} />
          </article>
        )}
        {item !== null && item.state !== "open" && <EndedCard item={item} />}
      </div>
    </div>
  )
})
