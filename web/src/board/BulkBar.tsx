import { $, component$, useSignal } from "@builder.io/qwik"
import { TASK_PRIORITIES } from "../../../src/contract/board.ts"
import { useServices } from "../base/AppContext.ts"
import { priorityText } from "../core/board/boardText.ts"
import { allColumns } from "../core/board/columns.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { useBoard } from "./BoardContext.ts"
import { clearSelection, deleteCards, patchCards, requestMove } from "./boardActions.ts"
import { LabelDialog } from "./LabelEditor.tsx"
import "../ui/selectionBar.css"

/** What can be done with the selected cards. */
export const BulkBar = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const labelling = useSignal(false)
  const { config } = ui.state.value
  // A card that left the board in the meantime is no longer selected.
  const ids = [...ui.selected.value].filter((id) => ui.store.find(id) !== null)
  const none = ids.length === 0
  const label = $(async (add: ReadonlyArray<string>, remove: ReadonlyArray<string>) => {
    labelling.value = false
    await patchCards(app, ui, ids, (task) => ({
      labels: [...new Set([...task.labels.filter((name) => !remove.includes(name)), ...add])].slice(0, 50)
    }))
  })
  return (
    <div class="selection-bar" role="toolbar" aria-label={say("Selected cards")}>
      <span class="selection-count">{sayCount(ids.length, "{count} card", "{count} cards")}</span>
      <MenuButton
        label={say("Move selected cards to")}
        text={say("Move")}
        icon="corner-down-right"
        disabled={none}
        items={allColumns(config).map(({ key, title }) => ({
          id: key,
          label: title,
          run: () => requestMove(app, ui, ids, key, "end")
        }))}
      />
      <button
        type="button"
        class="button is-small"
        disabled={none}
        onClick$={() => {
          labelling.value = true
        }}
      >
        <Icon name="plus" />
        <span>{say("Labels")}</span>
      </button>
      <MenuButton
        label={say("Priority of the selected cards")}
        text={say("Priority")}
        icon="arrow-up"
        disabled={none}
        items={TASK_PRIORITIES.map((priority) => ({
          id: priority,
          label: priorityText(priority),
          run: () => patchCards(app, ui, ids, () => ({ priority }))
        }))}
      />
      <button type="button" class="button is-small" disabled={none} onClick$={() => deleteCards(app, ui, ids)}>
        <Icon name="x" />
        <span>{say("Delete")}</span>
      </button>
      <button type="button" class="button is-small push-end" onClick$={() => clearSelection(ui)}>
        {say("Stop selecting")}
      </button>
      {labelling.value && (
        <LabelDialog
          ids={ids}
          onClose$={() => {
            labelling.value = false
          }}
          onSave$={label}
        />
      )}
    </div>
  )
})
