import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { columnTitle } from "../core/board/boardText.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { type AskedMove, useBoard } from "./BoardContext.ts"
import { announce, moveNow, requestMove } from "./boardDeeds.ts"
import { boardPath } from "./boardPath.ts"
import { focusCard } from "./focusCard.ts"

/** Says why a card cannot simply be moved there, and offers what can be done instead (D41, D42). */
export const MoveDialog = component$<{ readonly asked: AskedMove }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const note = useSignal("")
  const { ids, status, place, question } = props.asked
  const many = ids.length > 1
  const { config } = ui.state.value
  const target = columnTitle(config, status)

  const close = $(() => {
    const first = props.asked.ids[0]
    ui.asked.value = null
    if (first !== undefined) focusCard(first)
  })

  if (question.kind === "full") {
    const { limit } = question
    return (
      <ConfirmDialog
        title={`${target} is full`}
        confirmLabel="Change the limit"
        cancelLabel={many ? "Leave the cards where they are" : "Leave the card where it is"}
        onCancel$={close}
        onConfirm$={() => {
          ui.asked.value = null
          app.router.navigate(boardPath(app, { panel: "settings" }))
        }}
      >
        <p>
          {`This board allows ${limit === 1 ? "one card" : `${limit} cards`} in ${target} at a time. Finish or move one of them first.`}
        </p>
      </ConfirmDialog>
    )
  }
  if (question.kind === "needsReview") {
    const review = columnTitle(config, "review")
    return (
      <ConfirmDialog
        title={`Review before ${target}`}
        confirmLabel={`Move to ${review}`}
        cancelLabel={many ? "Leave the cards where they are" : "Leave the card where it is"}
        onCancel$={close}
        onConfirm$={() => {
          ui.asked.value = null
          requestMove(app, ui, ids, "review", "end")
        }}
      >
        <p>{`On this board a card goes through ${review} before it is in ${target}. The board's settings can change that.`}</p>
      </ConfirmDialog>
    )
  }
  if (question.kind === "approval") {
    return (
      <ConfirmDialog
        title={many ? "Approve these cards?" : "Approve this card?"}
        confirmLabel="Approve"
        onCancel$={close}
        onConfirm$={async () => {
          const text = note.value.trim()
          for (const id of ids) {
            const task = ui.store.find(id)
            if (task?.status !== "review") {
              if (task !== null) await moveNow(app, ui, [id], status, place)
              continue
            }
            const done = await ui.actions.step(id, "approve", text === "" ? {} : { note: text })
            if (!done.ok) app.notices.show("error", done.message)
            else announce(ui, `${task.title} is approved.`)
          }
          await close()
        }}
      >
        <p>{`Moving it to ${target} means that the work is accepted.`}</p>
        <div class="field-row">
          <label for="approve-note">Note (optional)</label>
          <textarea
            id="approve-note"
            class="field"
            rows={3}
            maxLength={5000}
            value={note.value}
            onInput$={(_, element) => {
              note.value = element.value
            }}
          />
        </div>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Stop the agent?"
      confirmLabel="Stop and move"
      cancelLabel="Let it work"
      danger
      onCancel$={close}
      onConfirm$={() => {
        ui.asked.value = null
        void moveNow(app, ui, ids, status, place)
      }}
    >
      <p>{`An agent is working on this card. Moving it to ${target} stops the work; what it did so far is kept in its conversation.`}</p>
    </ConfirmDialog>
  )
})
