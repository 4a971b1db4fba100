import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import { draftOf, leftText, openPart, openParts, partsOf, withOption, withWords } from "../core/inbox/answerRules.ts"
import type { Draft, Drafts } from "../core/inbox/inboxTypes.ts"
import { headingOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { ActionButton } from "./ActionButton.tsx"
import { ItemHead } from "./ItemHead.tsx"
import type { ItemCardProps } from "./itemCardProps.ts"
import { KindIcon } from "./KindIcon.tsx"
import { QuestionPart } from "./QuestionPart.tsx"
import { TimeLeft } from "./TimeLeft.tsx"
import "./approvals.css"
import "./questions.css"

/** Moves the focus to a part of a question's card, or to the button that sends its answers. */
const focusPart = (form: HTMLElement, partId: string | null): void => {
  const part = partId === null ? null : form.querySelector(`[data-part="${CSS.escape(partId)}"]`)
  const place = form.closest(".approval-place")
  // By hand: the browser would also move the page behind the card.
  if (part !== null && place !== null)
    place.scrollTop += part.getBoundingClientRect().top - place.getBoundingClientRect().top
  const control = part?.querySelector<HTMLElement>("input") ?? form.querySelector<HTMLElement>("button[type=submit]")
  control?.focus({ preventScroll: part !== null })
}

const NO_DRAFTS: Drafts = {}

/** An agent's question, with the ways to answer it. */
export const QuestionCard = component$<ItemCardProps>((props) => {
  const app = useServices()
  const { item, isLinked = false, isHeld = false } = props
  const { id, detail, expiresAt } = item
  const parts = partsOf(item)
  const all = useReadable(app.client.inbox.drafts)
  const form = useSignal<HTMLFormElement>()
  const busy = useSignal(false)
  const filled = useSignal<ReadonlySet<string>>(new Set())
  const place = isLinked ? "inbox" : "chat"

  // A message that answered a part of it leads on to the next one.
  useBrowserTask$(({ cleanup }) => {
    if (isLinked) return
    const { said, drafts } = app.client.inbox
    const goOn = () => {
      const part = openPart(props.item, drafts.get()[id] ?? NO_DRAFTS)
      if (form.value !== undefined) focusPart(form.value, part?.id ?? null)
    }
    cleanup(
      said.subscribe((one) => {
        if (one?.id === id) afterFrames(2, goOn)
      })
    )
  })

  const done = $((result: ActionResult) => {
    busy.value = false
    if (!result.ok) app.notices.show("error", result.message)
    else return props.onDecided$?.()
  })
  const answer = $(async () => {
    const fields = form.value?.querySelectorAll<HTMLInputElement>("[data-secret]") ?? []
    const secrets = Object.fromEntries([...fields].map((field) => [field.dataset.secret ?? "", field.value]))
    busy.value = true
    await done(await app.client.inbox.act((store) => store.answer(props.item, secrets)))
  })
  const skip = $(async () => {
    busy.value = true
    await done(await app.client.inbox.act((store) => store.resolve(props.item, { action: "skip" })))
  })
  /** From what the draft is at that moment: two changes may come before the card is drawn again. */
  const change = $(async (partId: string, changed: (draft: Draft) => Draft) => {
    const { id } = props.item
    const store = await app.client.inbox.load()
    const now = draftOf(app.client.inbox.drafts.get()[id] ?? NO_DRAFTS, partId)
    store.setDraft(id, partId, changed(now))
  })
  const setFilled = $((partId: string, isFilled: boolean) => {
    const next = new Set(filled.value)
    if (isFilled) next.add(partId)
    else next.delete(partId)
    filled.value = next
  })

  const drafts = all.value[id] ?? NO_DRAFTS
  const unfilled = parts.filter((part) => part.secret === true && !filled.value.has(part.id))
  const left = openParts(item, drafts).length + unfilled.length
  const toGo = leftText(parts.length, left)
  return (
    <section
      class="approval question"
      aria-label={isLinked ? undefined : say("The agent has a question")}
      data-inbox-item={id}
    >
      {isLinked ? (
        <ItemHead item={item} />
      ) : (
        <header class="approval-head">
          <KindIcon kind="question" />
          <h3>{headingOf(item)}</h3>
        </header>
      )}
      {detail !== null && <p class="field-hint">{detail}</p>}
      <form ref={form} class="question-form" preventdefault:submit onSubmit$={answer} autocomplete="off">
        {parts.map((part) => {
          const partId = part.id
          const name = `${place}-${id}-${partId}`
          return (
            <QuestionPart
              key={partId}
              part={part}
              isOneOfSeveral={parts.length > 1}
              name={name}
              draft={draftOf(drafts, partId)}
              onOption$={(option: string) => change(partId, (draft) => withOption(part, draft, option))}
              onWords$={(words: string) => change(partId, (draft) => withWords(part, draft, words))}
              onSecret$={(isFilled: boolean) => setFilled(partId, isFilled)}
            />
          )
        })}
        <div class="approval-answers">
          <button type="submit" class="button is-small is-primary" disabled={busy.value || isHeld || left > 0}>
            <span>{say("Answer")}</span>
            <span class="action-key" aria-hidden="true">
              ↵
            </span>
          </button>
          <ActionButton
            action="skip"
            label={say("Skip")}
            title={say("The agent continues without an answer")}
            isDisabled={busy.value || isHeld}
            onPress$={skip}
          />
          {toGo !== null && <p class="approval-detail">{toGo}</p>}
          {expiresAt !== null && <TimeLeft until={expiresAt} end="expired" />}
        </div>
      </form>
    </section>
  )
})
