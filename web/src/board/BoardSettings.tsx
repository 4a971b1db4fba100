import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { columnTitle, priorityText } from "../core/board/boardText.ts"
import { type BoardColumn, type BoardConfig, TASK_PRIORITIES, TASK_STATUSES } from "../core/board/boardTypes.ts"
import { type ConfigEdit, configPatch, configProblem, movedColumn } from "../core/board/configEdit.ts"
import { wordOf } from "../core/board/decodeBoard.ts"
import { allColumns } from "../core/board/shownColumns.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Switch } from "../ui/Switch.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce } from "./boardDeeds.ts"
import { boardPath } from "./boardPath.ts"
import { Choice } from "./Choice.tsx"

/** The board's configuration: its columns, what new cards get, what review means, who decides about proposals. */
export const BoardSettings = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const close = $(() => app.router.navigate(boardPath(app)))
  const { config } = ui.state.value
  if (config === null) {
    return (
      <Dialog title="Board settings" onClose$={close}>
        <LoadingState label="Reading the board…" />
      </Dialog>
    )
  }
  return <SettingsForm config={config} />
})

/** The configuration with every column there can be, so that each can be shown again. */
const startOf = (config: BoardConfig): ConfigEdit => ({
  ...config,
  columns: allColumns(config).map(({ key, title, wipLimit, hidden }) => ({ key, title, wipLimit, visible: !hidden }))
})

const SettingsForm = component$<{ readonly config: BoardConfig }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const choices = useReadable(ui.choices.state)
  const base = useSignal(() => startOf(props.config))
  const edit = useSignal(() => startOf(props.config))
  const busy = useSignal(false)
  const problem = useSignal("")

  const close = $(() => app.router.navigate(boardPath(app)))
  const change = $((part: Partial<ConfigEdit>) => {
    edit.value = { ...edit.value, ...part }
  })
  const changeColumn = $((index: number, part: Partial<BoardColumn>) => {
    edit.value = {
      ...edit.value,
      columns: edit.value.columns.map((column, at) => (at === index ? { ...column, ...part } : column))
    }
  })
  const save = $(async () => {
    problem.value = configProblem(edit.value) ?? ""
    if (problem.value !== "" || busy.value) return
    const patch = configPatch(base.value, edit.value)
    if (Object.keys(patch).length === 0) return close()
    busy.value = true
    const saved = await ui.store.calls.saveConfig(patch)
    busy.value = false
    if (!saved.ok) {
      problem.value = saved.error.message
      return
    }
    ui.store.takeConfig(saved.value)
    announce(ui, "The board's settings are saved.")
    await close()
  })

  const { columns, defaults, quickViewLimit, defaultModel } = edit.value
  const { status, priority } = defaults
  const models = [
    { value: "", label: "None: the console's own" },
    ...choices.value.models.map(({ id, label }) => ({ value: id, label: label === id ? id : `${label} (${id})` }))
  ]
  return (
    <Dialog title="Board settings" size="medium" keepOnBackdrop onClose$={close}>
      <form class="settings-form" preventdefault:submit onSubmit$={save}>
        <fieldset>
          <legend>Columns</legend>
          <ol class="plain-list settings-columns">
            {columns.map((column, index) => (
              <li key={column.key} class="settings-column">
                <div class="settings-order">
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Move ${column.title} forward`}
                    disabled={index === 0}
                    onClick$={() => change({ columns: movedColumn(edit.value.columns, index, -1) })}
                  >
                    <Icon name="arrow-up" />
                  </button>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Move ${column.title} back`}
                    disabled={index === columns.length - 1}
                    onClick$={() => change({ columns: movedColumn(edit.value.columns, index, 1) })}
                  >
                    <Icon name="arrow-down" />
                  </button>
                </div>
                <input
                  class="field"
                  type="text"
                  maxLength={100}
                  required
                  aria-label={`Title of the column ${columnTitle(null, column.key)}`}
                  value={column.title}
                  onInput$={(_, element) => changeColumn(index, { title: element.value })}
                />
                <label class="settings-limit">
                  <span>Limit</span>
                  <input
                    class="field"
                    type="number"
                    inputMode="numeric"
                    min="0"
                    aria-label={`Most cards in ${column.title}; 0 means no limit`}
                    value={column.wipLimit}
                    onInput$={(_, element) =>
                      changeColumn(index, { wipLimit: Math.max(0, Number(element.value) || 0) })
                    }
                  />
                </label>
                <label class="settings-shown">
                  <input
                    type="checkbox"
                    aria-label={`Show ${column.title}`}
                    checked={column.visible}
                    onChange$={(_, element) => changeColumn(index, { visible: element.checked })}
                  />
                  <span>Shown</span>
                </label>
              </li>
            ))}
          </ol>
          <p class="field-hint">A limit of 0 means as many cards as you like. Hidden columns stay one click away.</p>
        </fieldset>
        <fieldset class="settings-pair">
          <legend>New cards</legend>
          <Field label="Column" for="settings-status">
            <Choice
              id="settings-status"
              value={status}
              options={columns.map(({ key, title }) => ({ value: key, label: title }))}
              onChange$={(value) =>
                change({ defaults: { ...edit.value.defaults, status: wordOf(TASK_STATUSES, value) ?? "todo" } })
              }
            />
          </Field>
          <Field label="Priority" for="settings-priority">
            <Choice
              id="settings-priority"
              value={priority}
              options={TASK_PRIORITIES.map((priority) => ({ value: priority, label: priorityText(priority) }))}
              onChange$={(value) =>
                change({ defaults: { ...edit.value.defaults, priority: wordOf(TASK_PRIORITIES, value) ?? "normal" } })
              }
            />
          </Field>
        </fieldset>
        <fieldset>
          <legend>Work of agents</legend>
          <Switch
            label="Review before done"
            hint="What an agent finished waits in review until you approve it. Off: it is done at once."
            checked={edit.value.reviewRequired}
            onChange$={(reviewRequired) => change({ reviewRequired })}
          />
          <Switch
            label="Cards may go straight to done"
            hint="You may move a card to done without a review."
            checked={edit.value.allowDoneDragBypass}
            disabled={!edit.value.reviewRequired}
            onChange$={(allowDoneDragBypass) => change({ allowDoneDragBypass })}
          />
          <Switch
            label="Apply proposals at once"
            hint="What agents propose happens without asking you."
            checked={edit.value.proposalPolicy === "auto"}
            onChange$={(auto) => change({ proposalPolicy: auto ? "auto" : "confirm" })}
          />
          <Field label="Model for runs" for="settings-model" hint="Used where a card names none.">
            <Choice
              id="settings-model"
              value={defaultModel ?? ""}
              options={models}
              onChange$={(value) => change({ defaultModel: value === "" ? null : value })}
            />
          </Field>
          <Field
            label="Cards in the quick view"
            for="settings-quick"
            hint="How many cards that want your attention are listed above the board: 1 to 50."
          >
            <input
              id="settings-quick"
              class="field"
              type="number"
              inputMode="numeric"
              min="1"
              max="50"
              aria-describedby="settings-quick-hint"
              value={quickViewLimit}
              onInput$={(_, element) => change({ quickViewLimit: Number(element.value) })}
            />
          </Field>
        </fieldset>
        <p class="form-problem" role="alert">
          {problem.value}
        </p>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        Cancel
      </button>
      <button q:slot="foot" type="button" class="button is-primary" disabled={busy.value} onClick$={save}>
        {busy.value ? "Saving…" : "Save"}
      </button>
    </Dialog>
  )
})
