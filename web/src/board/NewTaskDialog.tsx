import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { TASK_STATUSES, type TaskStatus } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { LimitField } from "../budgets/LimitField.tsx"
import { setLimit } from "../budgets/setLimit.ts"
import { allColumns, columnTitle } from "../core/board/columns.ts"
import { routinesOf } from "../core/board/RoutinesStore.ts"
import { blankTask, draftKey, edited, editProblem, newEdit, restored, valueOf } from "../core/board/taskEdit.ts"
import { withPattern } from "../core/board/taskPattern.ts"
import { amountIn } from "../core/budgets/budgetForm.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Select } from "../ui/Select.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"
import { focusCard } from "./cardElements.ts"
import { TaskDetails } from "./TaskDetails.tsx"
import { TaskDescription } from "./TaskTexts.tsx"
import { TaskTitle, useDraft } from "./TaskTitle.tsx"

const DRAFT = draftKey("new")

interface NewTaskProps {
  readonly status: TaskStatus | null
  /** The card that it's a part of. */
  readonly parentId: string | null
}

/** Creates a card. What was typed survives closing the dialog until the card is created. */
export const NewTaskDialog = component$<NewTaskProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const start = blankTask(ui.state.value.config)
  const edit = useSignal(() => {
    const kept = restored(app.client.drafts.get(DRAFT), start)
    return props.parentId === null ? kept : edited(kept, "parentId", props.parentId)
  })
  const wanted = useSignal<TaskStatus | null>(props.status)
  const routines = useConstant(() => routinesOf(app.client))
  const templates = useReadable(routines.state).value.templates ?? []
  const template = useSignal("")
  const busy = useSignal(false)
  const problem = useSignal("")
  const limit = useSignal("")
  const limitProblem = useSignal<string | null>(null)
  const { config } = ui.state.value
  const status = wanted.value ?? valueOf(edit.value, "status")

  useDraft(DRAFT, edit)

  const close = $(() => app.router.navigate(boardPath(app, props.parentId === null ? {} : { task: props.parentId })))
  const create = $(async (another: boolean) => {
    if (busy.value) return
    problem.value = editProblem(edit.value) ?? ""
    if (problem.value !== "") return document.getElementById("task-title")?.focus()
    const amount = limit.value.trim() === "" ? null : amountIn("usd", limit.value)
    limitProblem.value = amount?.ok === false ? amount.message : null
    if (limitProblem.value !== null) return document.getElementById("new-limit")?.focus()
    busy.value = true
    const { changes } = edit.value
    const made = await ui.store.create({
      ...changes,
      title: valueOf(edit.value, "title").trim(),
      priority: valueOf(edit.value, "priority"),
      status: wanted.value ?? valueOf(edit.value, "status")
    })
    busy.value = false
    if (!made.ok) {
      problem.value = made.message
      return
    }
    if (amount?.ok === true) await setLimit(app, { kind: "task", taskId: made.value.id }, amount.value)
    limit.value = ""
    template.value = ""
    const column = columnTitle(ui.state.value.config, made.value.status)
    announce(ui, say("{title} was added to {column}.", { title: made.value.title, column }))
    const blank = newEdit(blankTask(ui.state.value.config))
    edit.value = props.parentId === null ? blank : edited(blank, "parentId", props.parentId)
    if (another) document.getElementById("task-title")?.focus()
    else {
      await close()
      if (props.parentId === null) focusCard(ui, made.value.id)
    }
  })

  return (
    <Dialog title={say("New card")} size="medium" keepOnBackdrop onClose$={close}>
      <form
        class="stack gap-4 can-shrink"
        preventdefault:submit
        onSubmit$={() => create(false)}
        onKeyDown$={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return create(event.shiftKey)
        }}
      >
        {templates.length > 0 && (
          <div class="field-row">
            <label for="new-template">{say("Template")}</label>
            <Select
              id="new-template"
              value={template.value}
              options={[
                { value: "", label: say("None") },
                ...templates.map(({ id, name }) => ({ value: id, label: name }))
              ]}
              onChange$={(id) => {
                template.value = id
                const chosen = routines.state.get().templates?.find((one) => one.id === id)
                if (chosen !== undefined) edit.value = withPattern(edit.value, chosen.task)
              }}
            />
          </div>
        )}
        <TaskTitle edit={edit} fresh />
        <TaskDescription edit={edit} />
        <div class="field-row">
          <label for="new-status">{say("Column")}</label>
          <Select
            id="new-status"
            value={status}
            options={allColumns(config).map(({ key, title }) => ({ value: key, label: title }))}
            onChange$={(value) => {
              wanted.value = wordOf(TASK_STATUSES, value)
            }}
          />
        </div>
        <TaskDetails edit={edit} existing={false} />
        <LimitField
          id="new-limit"
          hint={say("At this limit its work pauses and asks you.")}
          limit={limit}
          problem={limitProblem.value}
        />
        <p class="form-problem" role="alert">
          {problem.value}
        </p>
      </form>
      <button q:slot="foot" type="button" class="button" disabled={busy.value} onClick$={() => create(true)}>
        {say("Create another")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        disabled={busy.value}
        onClick$={() => create(false)}
      >
        {busy.value ? say("Adding…") : say("Add card")}
      </button>
    </Dialog>
  )
})
