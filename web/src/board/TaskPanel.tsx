import { $, component$, useConstant, useSignal, useTask$ } from "@builder.io/qwik"
import { TASK_STATUSES } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { ItemCard } from "../approvals/ItemCard.tsx"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { unsavedText } from "../core/board/BoardActions.ts"
import type { BoardStore } from "../core/board/BoardStore.ts"
import type { Task, TaskField } from "../core/board/boardTypes.ts"
import { allColumns } from "../core/board/columns.ts"
import {
  asNewCard,
  blankTask,
  draftKey,
  draftOf,
  isDirty,
  newEdit,
  rebased,
  restored,
  saveProblem,
  type TaskEdit,
  undecided
} from "../core/board/taskEdit.ts"
import type { Readable } from "../core/common/Observable.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { Select } from "../ui/Select.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce, deleteCards, requestMove } from "./boardActions.ts"
import { taskCommands } from "./boardCommands.ts"
import { boardPath } from "./boardView.ts"
import { focusCard } from "./cardElements.ts"
import { saveAsTemplate } from "./flowActions.ts"
import { ReviewFoot } from "./ReviewFoot.tsx"
import { SidePanel } from "./SidePanel.tsx"
import { TaskChecklist } from "./TaskChecklist.tsx"
import { TaskDetails } from "./TaskDetails.tsx"
import { TaskFamily } from "./TaskFamily.tsx"
import { FeedbackThread, TaskComments, TaskHistory } from "./TaskStory.tsx"
import { TaskDescription } from "./TaskTexts.tsx"
import { TaskTitle, useDraft } from "./TaskTitle.tsx"
import { TaskWork } from "./TaskWork.tsx"
import "../ui/fold.css"

/** The addressed card, beside the board or over it on a phone. */
export const TaskPanel = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { id } = props
  // What the server said, without changes still being saved: typed text must not build on something that may fail.
  const known = useConstant(() => selectReadable(ui.store.state, () => ui.store.data.find(id) !== undefined))
  const latest = useConstant(() => lastKnown(ui.store, id))
  const isThere = useReadable(known)
  const task = useReadable(latest)
  const wasThere = useSignal(false)
  useTask$(({ track }) => {
    if (track(isThere)) wasThere.value = true
  })
  const close = $(() => {
    app.router.navigate(boardPath(app))
    focusCard(ui, props.id)
  })
  const { status, message } = ui.state.value
  const why = message ?? say("Try again in a moment.")
  if (isThere.value) return <TaskEditor key={id} task={task.value} onClose$={close} />
  return (
    <SidePanel title={say("Card")} onClose$={close}>
      {status === "loading" && <LoadingState label={say("Loading the board…")} />}
      {status === "failed" && (
        <ErrorState title={say("Couldn't load the board")} text={why} onRetry$={() => ui.store.refresh()} />
      )}
      {status === "ready" && <GoneCard id={id} isDeleted={wasThere.value} />}
    </SidePanel>
  )
})

/** A card as it was last known: it stays after its deletion until its editor closes. */
const lastKnown = (store: BoardStore, id: string): Readable<Task> => {
  let last = blankTask(null)
  return selectReadable(store.state, () => {
    last = store.data.find(id) ?? last
    return last
  })
}

/** Shown in place of a card that isn't there; what was typed on a deleted one can still be used. */
const GoneCard = component$<{ readonly id: string; readonly isDeleted: boolean }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const draft = app.client.drafts.get(draftKey(props.id))
  const writeAnew = $(() => {
    const fresh = asNewCard(draft, blankTask(ui.state.value.config))
    app.client.drafts.set(draftKey("new"), draftOf(fresh))
    app.client.drafts.set(draftKey(props.id), "")
    app.router.navigate(boardPath(app, { panel: "new" }))
  })
  if (draft !== "")
    return (
      <ErrorState
        isMissing
        title={say("This card is no longer on the board")}
        text={say("Someone deleted it while you were writing. Your text isn't lost.")}
        action={say("Create a new card from your text")}
        onRetry$={writeAnew}
      />
    )
  return (
    <ErrorState
      isMissing
      title={props.isDeleted ? say("This card is no longer on the board") : say("There's no card at this address")}
      text={
        props.isDeleted ? say("Someone deleted it.") : say("It may have been deleted, or the address isn't complete.")
      }
      action={say("Back to the board")}
      href={boardPath(app)}
    />
  )
})

/** Fields outside the details. */
const isOutside = (field: TaskField): boolean => ["title", "description", "result", "checklist"].includes(field)

const TaskEditor = component$<{ readonly task: Task; readonly onClose$: () => void }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const { id } = props.task
  const edit = useSignal<TaskEdit>(() => restored(app.client.drafts.get(draftKey(id)), props.task))
  const saving = useSignal(false)
  const problem = useSignal("")
  const panel = useSignal<HTMLElement>()
  const open = useReadable(app.client.inbox.open)

  useBrowserTask$(({ track }) => {
    const task = track(() => props.task)
    edit.value = rebased(edit.value, task)
  })
  useDraft(draftKey(id), edit)

  const save = $(async () => {
    if (saving.value || !isDirty(edit.value)) return
    const wrong = saveProblem(edit.value)
    problem.value = wrong?.text ?? ""
    if (wrong !== null) {
      const target = wrong.at === "conflict" ? panel.value?.querySelector<HTMLElement>(".conflict button") : null
      return (target ?? document.getElementById("task-title"))?.focus()
    }
    saving.value = true
    const { base, changes } = edit.value
    const done = await ui.actions.patch(base, changes)
    saving.value = false
    const unsaved = unsavedText(done)
    if (unsaved !== null) problem.value = unsaved
    else {
      announce(ui, say("Saved."))
      // The button that was pressed disappears.
      const active = document.activeElement
      if (active === null || active.closest(".task-foot") !== null) document.getElementById("task-title")?.focus()
    }
  })

  useBrowserTask$(({ cleanup }) => {
    const element = panel.value
    const onKey = (event: KeyboardEvent) => {
      const saves = event.key === "s" || event.key === "Enter"
      if (!saves || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void save()
    }
    element?.addEventListener("keydown", onKey)
    cleanup(() => element?.removeEventListener("keydown", onKey))
  })

  const remove = $(() => {
    app.router.navigate(boardPath(app))
    deleteCards(app, ui, [id])
  })
  const discard = $(() => {
    problem.value = ""
    edit.value = newEdit(edit.value.base)
  })
  useCommands(() => taskCommands(props.task, { isDirty: () => isDirty(edit.value), save, discard, remove }))

  const { config } = ui.state.value
  const task = props.task
  const { title } = task
  // Who judges the work sees it first, with what was asked for below, and rarely changes the card.
  const inReview = task.status === "review"
  const dirty = isDirty(edit.value)
  const columns = allColumns(config).map(({ key, title }) => ({ value: key, label: title }))
  const shownStatus = ui.store.find(id)?.status ?? task.status
  const proposals = open.value.filter(({ kind, taskId }) => kind === "proposal" && taskId === id)
  return (
    <SidePanel title={title} titleInBody onClose$={props.onClose$}>
      <div q:slot="tools" class="row gap-1 grow task-tools">
        <Select
          id="task-status"
          label={say("Column")}
          value={shownStatus}
          options={columns}
          onChange$={(value) => {
            const status = wordOf(TASK_STATUSES, value)
            if (status !== null && status !== shownStatus) requestMove(app, ui, [id], status, "end")
          }}
        />
        <MenuButton
          label={say("More card actions")}
          items={[
            { label: say("Save as a template"), icon: "copy", run: () => saveAsTemplate(app, task) },
            {
              label: say("Delete card"),
              icon: "x",
              danger: true,
              run: () => remove()
            }
          ]}
        />
      </div>
      <div ref={panel} class="flex-column task-editor">
        <div class="flex-column gap-4 task-scroll">
          <TaskTitle edit={edit} fresh={false} />
          {proposals.map((item) => {
            const key = item.id
            return <ItemCard key={key} item={item} />
          })}
          <TaskWork task={task} edit={edit} dirty={dirty} />
          <FeedbackThread task={task} />
          <section key="description" class="task-section" aria-label={say("Fields")}>
            <TaskDescription edit={edit} />
          </section>
          <TaskChecklist id={id} />
          <TaskFamily task={task} />
          {inReview ? (
            <details
              key="folded"
              class="task-section fold"
              open={undecided(edit.value).some((field) => !isOutside(field))}
            >
              <summary>
                <h3>{say("Details")}</h3>
              </summary>
              <TaskDetails edit={edit} existing />
            </details>
          ) : (
            <section key="details" class="task-section" aria-label={say("Details")}>
              <TaskDetails edit={edit} existing />
            </section>
          )}
          <TaskComments task={task} />
          <TaskHistory task={task} />
        </div>
        {inReview && <ReviewFoot task={task} />}
        {(dirty || problem.value !== "") && (
          <footer class="row wrap gap-2 no-shrink task-foot">
            <p class="form-problem" role="alert">
              {problem.value}
            </p>
            {dirty && (
              <>
                <span class="soft small task-unsaved">{say("Unsaved changes")}</span>
                <button type="button" class="button" disabled={saving.value} onClick$={discard}>
                  {say("Discard")}
                </button>
                <button type="button" class="button is-primary" disabled={saving.value} onClick$={save}>
                  {saving.value ? say("Saving…") : say("Save")}
                </button>
              </>
            )}
          </footer>
        )}
      </div>
    </SidePanel>
  )
})
