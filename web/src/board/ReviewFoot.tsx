import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { focusWhenThere } from "../base/focusWhenThere.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { withoutSent } from "../core/board/CommentThread.ts"
import { say } from "../core/language/say.ts"
import { growWithText } from "../ui/growWithText.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { type BoardUi, useBoard } from "./BoardContext.ts"
import { announce, runCard } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"

const notes = keptValues<string>()

/** The card in review after or before this one; null if it's the only one. */
const nextInReview = (ui: BoardUi, id: string, step: 1 | -1): string | null => {
  const all = ui.state.value.columns.review
  const from = all.findIndex((card) => card.id === id)
  const next = all[(from + step + all.length) % all.length]
  return from === -1 || next === undefined || next.id === id ? null : next.id
}

/** The verdict on a card in review, always in reach below what is judged, and the way to the next one. */
export const ReviewFoot = component$<{ readonly task: Task }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const note = useKept(notes, props.task.id, () => "")
  /** Sending back needs a note, which has no room until then. */
  const isOpen = useSignal(() => note.value !== "")
  const busy = useSignal(false)
  const problem = useSignal("")
  const root = useSignal<HTMLElement>()
  const field = useSignal<HTMLTextAreaElement>()
  const sender = useSignal<HTMLButtonElement>()

  useBrowserTask$(({ track }) => {
    track(note)
    if (field.value !== undefined) growWithText(field.value)
  })

  const decide = $(async (name: "approve" | "reject", said: string, runsAgain = false) => {
    const { task } = props
    const text = isOpen.value ? note.value.trim() : ""
    const next = nextInReview(ui, task.id, 1)
    problem.value = ""
    busy.value = true
    const done = await ui.actions.step(task.id, name, text === "" ? {} : { note: text })
    if (done.ok && runsAgain) await runCard(app, ui, task)
    busy.value = false
    if (!done.ok) {
      problem.value = done.message
      return
    }
    note.value = withoutSent(note.value, text)
    // The card may leave this place with its form at once.
    if (note.value === "") notes.delete(props.task.id)
    isOpen.value = note.value !== ""
    if (!runsAgain) announce(ui, said)
    if (name === "approve" && next !== null) app.router.navigate(boardPath(app, { task: next }))
  })

  const sendBack = $((runsAgain: boolean) => {
    if (busy.value) return
    if (isOpen.value && note.value.trim() !== "") return decide("reject", say("Sent back with your note."), runsAgain)
    problem.value = isOpen.value ? say("Say what to do differently. The agent reads this before it starts again.") : ""
    if (isOpen.value) return field.value?.focus()
    isOpen.value = true
    if (root.value !== undefined) focusWhenThere(root.value, "#run-note")
  })

  useBrowserTask$(({ cleanup }) => {
    const element = root.value
    const onKey = (event: KeyboardEvent) => {
      if (event.target !== field.value) return
      const isEnd = event.key === "Escape"
      if (!isEnd && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return
      // The same keys close the card and save it.
      event.preventDefault()
      event.stopPropagation()
      if (!isEnd) return void sendBack(true)
      problem.value = ""
      isOpen.value = false
      sender.value?.focus()
    }
    element?.addEventListener("keydown", onKey)
    cleanup(() => element?.removeEventListener("keydown", onKey))
  })

  return (
    <section ref={root} class="stack gap-2 no-shrink border-top review-foot" aria-label={say("Review")}>
      {isOpen.value && (
        <div class="field-row">
          <label for="run-note" class="visually-hidden">
            {say("Note (required to send back)")}
          </label>
          <textarea
            ref={field}
            id="run-note"
            class="field"
            rows={2}
            placeholder={say("What should change?")}
            maxLength={5000}
            value={note.value}
            aria-invalid={problem.value === "" ? undefined : "true"}
            onInput$={(_, element) => {
              note.value = element.value
            }}
          />
        </div>
      )}
      <p class="form-problem" role="alert">
        {problem.value}
      </p>
      <div class="run-actions">
        <button
          type="button"
          class={["button", !isOpen.value && "is-primary"]}
          disabled={busy.value}
          onClick$={() => decide("approve", say("Approved. The card is done."))}
        >
          <Icon name="check" />
          <span>{say("Approve")}</span>
        </button>
        <button
          ref={sender}
          type="button"
          class={["button", isOpen.value && "is-primary"]}
          disabled={busy.value}
          onClick$={() => sendBack(true)}
        >
          <Icon name="corner-down-right" />
          <span>{say("Send back and run again")}</span>
        </button>
        {isOpen.value && (
          <button type="button" class="button" disabled={busy.value} onClick$={() => sendBack(false)}>
            {say("Only send back")}
          </button>
        )}
        <ReviewSteps id={props.task.id} />
      </div>
    </section>
  )
})

/** Which of the cards in review this is, and the ones before and after it. */
const ReviewSteps = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const cards = ui.state.value.columns.review
  const index = cards.findIndex(({ id }) => id === props.id)
  if (cards.length < 2 || index === -1) return null
  const open = $((step: 1 | -1) => {
    const next = nextInReview(ui, props.id, step)
    if (next !== null) app.router.navigate(boardPath(app, { task: next }))
  })
  return (
    <div class="row push-end soft small tabular review-steps" role="group" aria-label={say("Cards in review")}>
      <IconButton icon="chevron-right" label={say("Previous in review")} onClick$={() => open(-1)} />
      <span>{say("{place} of {count}", { place: index + 1, count: cards.length })}</span>
      <IconButton icon="chevron-right" label={say("Next in review")} onClick$={() => open(1)} />
    </div>
  )
})
