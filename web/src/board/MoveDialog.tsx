import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { spotsOf } from "../core/board/boardUndo.ts"
import { columnTitle } from "../core/board/columns.ts"
import { say, sayCount } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { type AskedMove, useBoard } from "./BoardContext.ts"
import { announce, moveNow, offerMoveUndo, requestMove } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"
import { focusCard } from "./cardElements.ts"

const notes = keptValues<string>()

/** Explains why a card can't simply be moved there, and offers alternatives. */
export const MoveDialog = component$<{ readonly asked: AskedMove }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const note = useKept(notes, props.asked.ids.join(" "), () => "")
  const { elsewhere, ids, status, place, question } = props.asked
  const many = ids.length > 1
  const { config } = ui.state.value
  const target = columnTitle(config, status)

  const close = $(() => {
    const first = props.asked.ids[0]
    notes.delete(props.asked.ids.join(" "))
    ui.asked.value = null
    if (first !== undefined) focusCard(ui, first)
  })

  if (question.kind === "full") {
    const { limit } = question
    return (
      <ConfirmDialog
        title={say("{column} is full", { column: target })}
        confirmLabel={say("Change the limit")}
        cancelLabel={many ? say("Keep the cards where they are") : say("Keep the card where it is")}
        onCancel$={close}
        onConfirm$={() => {
          ui.asked.value = null
          app.router.navigate(boardPath(app, { panel: "settings" }))
        }}
      >
        <p>
          {sayCount(
            limit,
            "This board allows one card in {column} at a time. Finish or move one of them first.",
            "This board allows {count} cards in {column} at a time. Finish or move one of them first.",
            { column: target }
          )}
        </p>
      </ConfirmDialog>
    )
  }
  if (question.kind === "needsReview") {
    const review = columnTitle(config, "review")
    return (
      <ConfirmDialog
        title={say("Review before {column}", { column: target })}
        confirmLabel={say("Move to {column}", { column: review })}
        cancelLabel={many ? say("Keep the cards where they are") : say("Keep the card where it is")}
        onCancel$={close}
        onConfirm$={() => {
          ui.asked.value = null
          requestMove(app, ui, ids, "review", "end")
        }}
      >
        <p>
          {say(
            "On this board, an agent's work goes through {review} before {column}. You can change that in the board settings.",
            { review, column: target }
          )}
        </p>
      </ConfirmDialog>
    )
  }
  if (question.kind === "approval") {
    return (
      <ConfirmDialog
        title={many ? say("Approve these cards?") : say("Approve this card?")}
        confirmLabel={say("Approve")}
        onCancel$={close}
        onConfirm$={async () => {
          const text = note.value.trim()
          const spots = spotsOf(ui.store.state.get().columns, ids)
          const approved = new Set<string>()
          for (const id of ids) {
            const task = ui.store.find(id)
            if (task?.status !== "review") {
              if (task !== null) await moveNow(app, ui, [id], status, place, elsewhere)
              continue
            }
            const done = await ui.actions.step(id, "approve", text === "" ? {} : { note: text })
            if (!done.ok) app.notices.show("error", done.message)
            else {
              approved.add(id)
              announce(ui, say("Approved {title}.", { title: task.title }))
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
        <p>{say("Moving it to {column} accepts the work.", { column: target })}</p>
        <div class="field-row">
          <label for="approve-note">{say("Note (optional)")}</label>
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
      title={say("Stop the agent?")}
      confirmLabel={say("Stop and move")}
      cancelLabel={say("Keep it running")}
      danger
      onCancel$={close}
      onConfirm$={() => {
        ui.asked.value = null
        void moveNow(app, ui, ids, status, place, elsewhere)
      }}
    >
      <p>
        {say(
          "An agent is working on this card. Moving it to {column} stops the agent. What it has done so far stays in its conversation.",
          { column: target }
        )}
      </p>
    </ConfirmDialog>
  )
})
