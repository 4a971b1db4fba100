import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { columnTitle } from "../core/board/boardText.ts"
import { spotsOf } from "../core/board/boardUndo.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { type AskedMove, useBoard } from "./BoardContext.ts"
import { announce, moveNow, offerMoveUndo, requestMove } from "./boardDeeds.ts"
import { boardPath } from "./boardPath.ts"
import { focusCard } from "./focusCard.ts"

/** Explains why a card can't simply be moved there, and offers alternatives. */
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
        cancelLabel={many ? "Keep the cards where they are" : "Keep the card where it is"}
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
        cancelLabel={many ? "Keep the cards where they are" : "Keep the card where it is"}
        onCancel$={close}
        onConfirm$={() => {
          ui.asked.value = null
          requestMove(app, ui, ids, "review", "end")
        }}
      >
        <p>{`On this board, an agent's work goes through ${review} before ${target}. You can change that in the board settings.`}</p>
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
          const spots = spotsOf(ui.store.state.get().columns, ids)
          const approved = new Set<string>()
          for (const id of ids) {
            const task = ui.store.find(id)
            if (task?.status !== "review") {
              if (task !== null) await moveNow(app, ui, [id], status, place)
              continue
            }
            const done = await ui.actions.step(id, "approve", text === "" ? {} : { note: text })
            if (!done.ok) app.notices.show("error", done.message)
            else {
              approved.add(id)
              announce(ui, `Approved ${task.title}.`)
            }
          }
          offerMoveUndo(
            app,
            ui,
            spots.filter(({ id }) => approved.has(id)),
            "done"
          )
          await close()
        }}
      >
        <p>{`Moving it to ${target} accepts the work.`}</p>
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
      cancelLabel="Keep it running"
      danger
      onCancel$={close}
      onConfirm$={() => {
        ui.asked.value = null
        void moveNow(app, ui, ids, status, place)
      }}
    >
      <p>{`An agent is working on this card. Moving it to ${target} stops the agent. What it has done so far stays in its conversation.`}</p>
    </ConfirmDialog>
  )
})
