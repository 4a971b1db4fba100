import { $, component$, useSignal } from "@builder.io/qwik"
import { TASK_PRIORITIES, TASK_STATUSES } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { useServices } from "../base/AppContext.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { useReadable } from "../base/useReadable.ts"
import { priorityText } from "../core/board/boardText.ts"
import type { BoardColumn, BoardConfig } from "../core/board/boardTypes.ts"
import { allColumns, columnTitle } from "../core/board/columns.ts"
import { type ConfigEdit, configPatch, configProblem, movedColumn } from "../core/board/configEdit.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Select } from "../ui/Select.tsx"
import { Switch } from "../ui/Switch.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce } from "./boardActions.ts"
import { boardPath } from "./boardView.ts"

/** The board's configuration: its columns, defaults for new cards, what review means, and who decides on proposals. */
export const BoardSettings = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const close = $(() => app.router.navigate(boardPath(app)))
  const { config } = ui.state.value
  if (config === null) {
    return (
      <Dialog title={say("Board settings")} onClose$={close}>
        <LoadingState label={say("Loading the board…")} />
      </Dialog>
    )
  }
  return <SettingsForm config={config} />
})

/** The configuration with every possible column, so that each can be shown again. */
const startOf = (config: BoardConfig): ConfigEdit => ({
  ...config,
  columns: allColumns(config).map(({ key, title, wipLimit, hidden }) => ({ key, title, wipLimit, visible: !hidden }))
})

/** Changes that were neither saved nor discarded, and what they began with. */
const edits = keptValues<ConfigEdit>()
const bases = keptValues<ConfigEdit>()

interface CountFieldProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly most: number
  readonly value: number
  readonly onChange$: (value: number) => unknown
}

/** A whole number from 1 on. */
const CountField = component$<CountFieldProps>((props) => {
  const { hint, id, label, most, value } = props
  return (
    <Field label={label} for={id} hint={hint}>
      <input
        id={id}
        class="field"
        type="number"
        inputMode="numeric"
        min="1"
        max={most}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput$={(_, element) => props.onChange$(Number(element.value))}
      />
    </Field>
  )
})

const SettingsForm = component$<{ readonly config: BoardConfig }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const choices = useReadable(ui.choices.state)
  const base = useSignal(() => {
    const before = (edits.has("") ? bases.get("") : undefined) ?? startOf(props.config)
    bases.set("", before)
    return before
  })
  const edit = useKept(edits, "", () => base.value)
  const busy = useSignal(false)
  const problem = useSignal("")

  const close = $(() => {
    edits.clear()
    app.router.navigate(boardPath(app))
  })
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
    announce(ui, say("Board settings saved."))
    await close()
  })

  const { columns, defaults, parallel, quickViewLimit, defaultModel } = edit.value
  const { status, priority } = defaults
  const { paused, perAgent, total } = parallel
  const models = [
    { value: "", label: say("Default") },
    ...choices.value.models.map(({ id, label }) => ({ value: id, label: label === id ? id : `${label} (${id})` }))
  ]
  return (
    <Dialog title={say("Board settings")} size="medium" keepOnBackdrop onClose$={close}>
      <form class="stack gap-4 can-shrink settings-form" preventdefault:submit onSubmit$={save}>
        <fieldset>
          <legend>{say("Columns")}</legend>
          <ol class="plain-list stack gap-2 settings-columns">
            {columns.map((column, index) => (
              <li key={column.key} class="row wrap settings-column">
                <div class="settings-order">
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={say("Move {column} forward", { column: column.title })}
                    disabled={index === 0}
                    onClick$={() => change({ columns: movedColumn(edit.value.columns, index, -1) })}
                  >
                    <Icon name="arrow-up" />
                  </button>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={say("Move {column} back", { column: column.title })}
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
                  aria-label={say("Title of the column {column}", { column: columnTitle(null, column.key) })}
                  value={column.title}
                  onInput$={(_, element) => changeColumn(index, { title: element.value })}
                />
                <label class="row gap-2 small settings-limit">
                  <span>{say("Limit")}</span>
                  <input
                    class="field"
                    type="number"
                    inputMode="numeric"
                    min="0"
                    aria-label={say("Card limit for {column}; 0 means no limit", { column: column.title })}
                    value={column.wipLimit}
                    onInput$={(_, element) =>
                      changeColumn(index, { wipLimit: Math.max(0, Number(element.value) || 0) })
                    }
                  />
                </label>
                <label class="row gap-2 small settings-shown">
                  <input
                    type="checkbox"
                    aria-label={say("Show {column}", { column: column.title })}
                    checked={column.visible}
                    onChange$={(_, element) => changeColumn(index, { visible: element.checked })}
                  />
                  <span>{say("Shown")}</span>
                </label>
              </li>
            ))}
          </ol>
          <p class="field-hint">{say("0 means no limit. You can still show hidden columns with one click.")}</p>
        </fieldset>
        <fieldset class="settings-pair">
          <legend>{say("New cards")}</legend>
          <Field label={say("Column")} for="settings-status">
            <Select
              id="settings-status"
              value={status}
              options={columns.map(({ key, title }) => ({ value: key, label: title }))}
              onChange$={(value) =>
                change({ defaults: { ...edit.value.defaults, status: wordOf(TASK_STATUSES, value) ?? "todo" } })
              }
            />
          </Field>
          <Field label={say("Priority")} for="settings-priority">
            <Select
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
          <legend>{say("Agent runs")}</legend>
          <Switch
            label={say("Review before done")}
            hint={say("Finished runs wait in review until you approve them. When off, they're done right away.")}
            checked={edit.value.reviewRequired}
            onChange$={(reviewRequired) => change({ reviewRequired })}
          />
          <Switch
            label={say("Allow moving cards straight to done")}
            hint={say("You can move an agent's card to done without a review. Your own cards never need one.")}
            checked={edit.value.allowDoneDragBypass}
            disabled={!edit.value.reviewRequired}
            onChange$={(allowDoneDragBypass) => change({ allowDoneDragBypass })}
          />
          <Switch
            label={say("Apply proposals automatically")}
            hint={say("Changes agents propose are made without asking you.")}
            checked={edit.value.proposalPolicy === "auto"}
            onChange$={(auto) => change({ proposalPolicy: auto ? "auto" : "confirm" })}
          />
          <div class="row wrap gap-4">
            <CountField
              id="settings-total"
              label={say("Cards at once")}
              hint={say("Started by themselves, 1 to 50.")}
              most={50}
              value={total}
              onChange$={(total) => change({ parallel: { ...edit.value.parallel, total } })}
            />
            <CountField
              id="settings-agent"
              label={say("Of these with one agent")}
              hint={say("1 to 20.")}
              most={20}
              value={perAgent}
              onChange$={(perAgent) => change({ parallel: { ...edit.value.parallel, perAgent } })}
            />
          </div>
          <Switch
            label={say("Cards start by themselves")}
            hint={say(
              "When off, no card starts by itself, whatever the card says. It's switched off when runs keep failing."
            )}
            checked={!paused}
            onChange$={(on) => change({ parallel: { ...edit.value.parallel, paused: !on } })}
          />
          <Switch
            label={say("Hand over results")}
            hint={say("An agent that starts a card also reads the results of the cards it waited for.")}
            checked={edit.value.handOver}
            onChange$={(handOver) => change({ handOver })}
          />
          <Field label={say("Model for runs")} for="settings-model" hint={say("Used when a card doesn't set a model.")}>
            <Select
              id="settings-model"
              value={defaultModel ?? ""}
              options={models}
              onChange$={(value) => change({ defaultModel: value === "" ? null : value })}
            />
          </Field>
          <CountField
            id="settings-quick"
            label={say("Cards in the quick view")}
            hint={say("How many cards needing your attention to list above the board (1 to 50).")}
            most={50}
            value={quickViewLimit}
            onChange$={(quickViewLimit) => change({ quickViewLimit })}
          />
        </fieldset>
        <p class="form-problem" role="alert">
          {problem.value}
        </p>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="button" class="button is-primary" disabled={busy.value} onClick$={save}>
        {busy.value ? say("Saving…") : say("Save")}
      </button>
    </Dialog>
  )
})
