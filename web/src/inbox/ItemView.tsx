import { $, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { ItemCard } from "../approvals/ItemCard.tsx"
import { useSeen } from "../approvals/useSeen.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { EndedCard } from "./EndedCard.tsx"
import { followEnded } from "./followEnded.ts"
import { inboxKeys } from "./inboxKeys.ts"

/** One item alone, as a notification opens it. */
export const ItemView = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const { id } = props
  const open = useReadable(app.client.inbox.open)
  const failure = useReadable(app.client.inbox.failure)
  /** The item as the server knows it, if it isn't open here. */
  const found = useSignal<InboxItem | null>(null)
  const problem = useSignal<string | null>(null)
  const body = useSignal<HTMLElement>()
  useSeen()

  const find = $(async () => {
    const store = await app.client.inbox.load()
    const answer = await store.find(props.id)
    if (answer.ok) found.value = answer.value
    problem.value = answer.ok ? null : answer.error.kind === "not_found" ? "" : answer.error.message
  })

  useVisibleTask$(
    ({ cleanup }) => {
      cleanup(
        followEnded(app.client.inbox, {
          onEnded: (item) => {
            if (item.id === props.id) found.value = item
          },
          begin: find,
          onFailure: () => {
            problem.value = "Check the connection and try again."
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
    },
    { strategy: "document-ready" }
  )

  const waiting = open.value.find((one) => one.id === id)
  // Open at the server, but not here: it is decided, and that can still be undone.
  const isDeferred = waiting === undefined && found.value?.state === "open" && failure.value === null
  const item = waiting ?? (isDeferred ? null : found.value)
  return (
    <div class="screen-body inbox is-alone" ref={body}>
      <div class="inbox-column">
        <a class="inbox-back" href="/inbox">
          <Icon name="arrow-left" />
          <span>All items</span>
        </a>
        <h2 class="visually-hidden">{item?.title ?? "Item"}</h2>
        {isDeferred && <EmptyState icon="check" title="Decided" text="You can undo it for a few seconds." />}
        {item === null && !isDeferred && problem.value === null && <LoadingState label="Loading…" />}
        {item === null && problem.value === "" && (
          <EmptyState
            icon="search"
            title="There's no such item"
            text="It may have been decided more than 30 days ago: older items are removed."
          />
        )}
        {item === null && problem.value !== null && problem.value !== "" && (
          <ErrorState title="Couldn't load this" text={problem.value} onRetry$={find} />
        )}
        {item !== null && item.state === "open" && (
          <article class="inbox-entry" tabIndex={-1} data-entry={item.id}>
            <ItemCard item={item} isLinked={true} />
          </article>
        )}
        {item !== null && item.state !== "open" && <EndedCard item={item} />}
      </div>
    </div>
  )
})
