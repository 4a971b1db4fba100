import { $, component$, type QRL, useConstant, useId, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { gatewayVersion } from "../core/gateways/gatewayVersion.ts"
import { lastingText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { headingOf, wordsOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { ActionButton, actionText, TimeLeft } from "./ActionButton.tsx"
import { decide } from "./decide.ts"
import { CommandText, ItemDetail } from "./ItemDetail.tsx"
import { ItemHead, KindIcon } from "./ItemHead.tsx"
import { OtherModel } from "./OtherModel.tsx"
import "./approvals.css"

/** What was typed for each item: undoing or cancelling loses no words. */
const typed = new Map<string, string>()

interface SendBackFormProps {
  readonly itemId: string
  readonly label: string
  /** What the words are to say. */
  readonly asked: string
  /** A quieter way to send them. */
  readonly other?: string | undefined
  readonly onSend$: QRL<(text: string, isOther: boolean) => unknown>
  readonly onCancel$: QRL<() => unknown>
}

/** The words that go along with a decision. */
const SendBackForm = component$<SendBackFormProps>((props) => {
  const text = useSignal(() => typed.get(props.itemId) ?? "")
  const field = useSignal<HTMLTextAreaElement>()
  useBrowserTask$(() => field.value?.focus())
  return (
    <form
      class="stack gap-3 question-form"
      preventdefault:submit
      onSubmit$={() => props.onSend$(text.value.trim(), false)}
    >
      <textarea
        ref={field}
        class="field"
        rows={3}
        aria-label={props.asked}
        placeholder={props.asked}
        value={text.value}
        onInput$={(_, element) => {
          text.value = element.value
          typed.set(props.itemId, element.value)
        }}
      />
      <div class="row wrap gap-2 approval-answers">
        <button type="submit" class="button is-small is-primary" disabled={text.value.trim() === ""}>
          {props.label}
        </button>
        {props.other !== undefined && (
          <button
            type="button"
            class="button is-small"
            disabled={text.value.trim() === ""}
            onClick$={() => props.onSend$(text.value.trim(), true)}
          >
            {props.other}
          </button>
        )}
        <button type="button" class="button is-small" onClick$={() => props.onCancel$()}>
          {say("Cancel")}
        </button>
      </div>
    </form>
  )
})

/** The lasting answer comes last, so that the answers for this time are side by side. */
const inOrder = (actions: InboxItem["actions"]): InboxItem["actions"] => [
  ...actions.filter(({ id }) => id !== "allow-always"),
  ...actions.filter(({ id }) => id === "allow-always")
]

/** What the words of a decision are to say, where that isn't a change. */
const ASKED: Readonly<Partial<Record<InboxItem["kind"], string>>> = {
  proposal: say("Why not?"),
  budget: say("The new limit")
}

/** What every card of an item is given. */
export interface ItemCardProps {
  readonly item: InboxItem
  /** Shown outside what it is about, so it links there. */
  readonly isLinked?: boolean
  /** Takes no decision for now: it has just come under the finger that decided another one. */
  readonly isHeld?: boolean
  /** After it was decided here. */
  readonly onDecided$?: QRL<() => unknown>
}

/** Something to allow, approve or take note of, with its actions. */
export const DecisionCard = component$<ItemCardProps>((props) => {
  const app = useServices()
  const { item, isLinked = false, isHeld = false } = props
  const version = useReadable(useConstant(() => gatewayVersion(app.client, item.gatewayId)))
  const busy = useSignal(false)
  /** The action that is waiting for its text. */
  const writing = useSignal<string | null>(null)
  const decideNow = $(async (action: string, text?: string, runsAgain = false) => {
    busy.value = true
    writing.value = null
    const { isLinked = false, item } = props
    const isDone = await decide(
      app,
      [item],
      { action, ...(text === undefined ? {} : { text }) },
      {
        isSaid: isLinked,
        ...(runsAgain && item.taskId !== null ? { runs: item.taskId } : {})
      }
    )
    busy.value = false
    if (isDone) await props.onDecided$?.()
  })
  const press = $((action: string, needsText: boolean) => {
    if (needsText) writing.value = action
    else return decideNow(action)
  })
  const scopeId = useId()
  const heading = headingOf(item)
  const { id: itemId, kind, expiresAt, gatewayId, taskId } = item
  const lasting = lastingText(item, version.value)
  const { what, more } = wordsOf(item)
  const written = item.actions.find(({ id }) => id === writing.value)
  const writtenLabel =
    written === undefined ? "" : kind === "review" ? say("Send back and run again") : actionText(written)
  return (
    <section
      class={["approval", `is-${item.kind}`]}
      aria-label={isLinked ? undefined : heading}
      data-inbox-item={itemId}
    >
      {isLinked ? (
        <ItemHead item={item} />
      ) : (
        <header class="row gap-2 approval-head">
          <KindIcon kind={kind} />
          <h3>{heading}</h3>
        </header>
      )}
      {kind === "approval" && <CommandText key={itemId} text={what} />}
      {(more !== null || expiresAt !== null || kind === "proposal") && (
        <div class="flex wrap space-between can-shrink approval-facts">
          <ItemDetail item={item} text={more} />
          {expiresAt !== null && <TimeLeft until={expiresAt} end={kind === "approval" ? "denied" : "expired"} />}
        </div>
      )}
      {written !== undefined && (
        <SendBackForm
          itemId={itemId}
          label={writtenLabel}
          asked={ASKED[kind] ?? say("What should change?")}
          onCancel$={() => {
            writing.value = null
          }}
          other={kind === "review" ? say("Only send back") : undefined}
          onSend$={(text: string, isOther: boolean) => decideNow(written.id, text, kind === "review" && !isOther)}
        />
      )}
      {written === undefined && (
        <div class="row wrap gap-2 approval-answers">
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
          {kind === "failed" && taskId !== null && (
            <OtherModel taskId={taskId} gatewayId={gatewayId} isDisabled={busy.value || isHeld} />
          )}
          {kind === "proposal" && (
            <button
              type="button"
              class="button is-small is-quiet"
              disabled={busy.value || isHeld}
              onClick$={() => press("reject", true)}
            >
              {say("Reject with a reason…")}
            </button>
          )}
          {lasting !== null && (
            <p class="can-shrink soft small approval-scope" id={scopeId}>
              {lasting}
            </p>
          )}
        </div>
      )}
    </section>
  )
})
