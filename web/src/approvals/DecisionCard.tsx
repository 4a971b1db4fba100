import { $, component$, useConstant, useId, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { gatewayVersion } from "../core/gateways/gatewayVersion.ts"
import { lastingText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { headingOf, wordsOf } from "../core/inbox/kindText.ts"
import { ActionButton } from "./ActionButton.tsx"
import { actionText } from "./actionWords.ts"
import { CommandText } from "./CommandText.tsx"
import { decide } from "./decide.ts"
import { ItemDetail } from "./ItemDetail.tsx"
import { ItemHead } from "./ItemHead.tsx"
import type { ItemCardProps } from "./itemCardProps.ts"
import { KindIcon } from "./KindIcon.tsx"
import { SendBackForm } from "./SendBackForm.tsx"
import { TimeLeft } from "./TimeLeft.tsx"
import "./approvals.css"

/** What holds for ever stands last, so that yes and no for this once are side by side. */
const inOrder = (actions: InboxItem["actions"]): InboxItem["actions"] => [
  ...actions.filter(({ id }) => id !== "allow-always"),
  ...actions.filter(({ id }) => id === "allow-always")
]

/** Something to allow, approve or take note of, with its actions. */
export const DecisionCard = component$<ItemCardProps>((props) => {
  const app = useServices()
  const { item, isLinked = false, isHeld = false } = props
  const version = useReadable(useConstant(() => gatewayVersion(app.client, item.gatewayId)))
  const busy = useSignal(false)
  /** The action that is waiting for its text. */
  const writing = useSignal<string | null>(null)
  const decideNow = $(async (action: string, text?: string) => {
    busy.value = true
    writing.value = null
    const isDone = await decide(app, [props.item], { action, ...(text === undefined ? {} : { text }) })
    busy.value = false
    if (isDone) await props.onDecided$?.()
  })
  const press = $((action: string, needsText: boolean) => {
    if (needsText) writing.value = action
    else return decideNow(action)
  })
  const scopeId = useId()
  const heading = headingOf(item)
  const { id: itemId, kind, expiresAt } = item
  const lasting = lastingText(item, version.value)
  const { what, more } = wordsOf(item)
  const written = item.actions.find(({ id }) => id === writing.value)
  const writtenLabel = written === undefined ? "" : actionText(written)
  return (
    <section
      class={["approval", `is-${item.kind}`]}
      aria-label={isLinked ? undefined : heading}
      data-inbox-item={itemId}
    >
      {isLinked ? (
        <ItemHead item={item} />
      ) : (
        <header class="approval-head">
          <KindIcon kind={kind} />
          <h3>{heading}</h3>
        </header>
      )}
      {kind === "approval" && <CommandText key={itemId} text={what} />}
      {(more !== null || expiresAt !== null) && (
        <div class="approval-facts">
          <ItemDetail item={item} text={more} />
          {expiresAt !== null && <TimeLeft until={expiresAt} end={kind === "approval" ? "denied" : "expired"} />}
        </div>
      )}
      {written !== undefined && (
        <SendBackForm
          itemId={itemId}
          label={writtenLabel}
          onCancel$={() => {
            writing.value = null
          }}
          onSend$={(text: string) => decideNow(written.id, text)}
        />
      )}
      {written === undefined && (
        <div class="approval-answers">
          {inOrder(item.actions).map(({ id, label, needs }, index) => {
            const text = actionText({ id, label })
            return (
              <ActionButton
                key={id}
                action={id}
                label={needs === "text" ? `${text}…` : text}
                isPrimary={index === 0}
                isDisabled={busy.value || isHeld}
                {...(id === "allow-always" && lasting !== null ? { describedBy: scopeId } : {})}
                onPress$={() => press(id, needs === "text")}
              />
            )
          })}
          {lasting !== null && (
            <p class="approval-scope" id={scopeId}>
              {lasting}
            </p>
          )}
        </div>
      )}
    </section>
  )
})
