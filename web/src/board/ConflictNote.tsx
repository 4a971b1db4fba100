import { component$, type Signal } from "@builder.io/qwik"
import { fieldText, valueText } from "../core/board/boardText.ts"
import type { TaskField } from "../core/board/boardTypes.ts"
import { bothTexts, keepBoth, keepMine, type TaskEdit, useTheirs, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { DiffView } from "../ui/DiffView.tsx"
import { useBoard } from "./BoardContext.ts"

/** Shows what someone else put into a field in the meantime next to what was typed; a person decides. */
export const ConflictNote = component$<{ readonly edit: Signal<TaskEdit>; readonly field: TaskField }>((props) => {
  const ui = useBoard()
  const { field } = props
  const theirs = props.edit.value.theirs[field]
  if (theirs === undefined) return null
  const { config } = ui.state.value
  const text = field === "description" || field === "result" ? field : null
  const long = text !== null
  const canMerge = text !== null && bothTexts(props.edit.value, text) !== null
  return (
    <div
      class="stack gap-2 small break-words conflict"
      role="group"
      aria-label={say("{field}: also changed by someone else", { field: fieldText(field) })}
    >
      <p>
        <strong>{say("Someone else changed this while you were typing.")}</strong>
      </p>
      {long ? (
        <DiffView
          about={fieldText(field)}
          before={typeof theirs === "string" ? theirs : ""}
          after={String(valueOf(props.edit.value, field) ?? "")}
          beforeLabel={say("On the board")}
          afterLabel={say("Yours")}
        />
      ) : (
        <p class="conflict-value">
          <span>{say("On the board:")}</span>{" "}
          <b>{valueText(field, theirs, config, Date.now(), (id) => ui.store.find(id)?.title ?? id)}</b>
        </p>
      )}
      {canMerge && <p>{say("The changes are in different places, so both can stay.")}</p>}
      <div class="wrap gap-2 conflict-choice">
        {canMerge && (
          <button
            type="button"
            class="button is-small is-primary"
            onClick$={() => {
              if (text !== null) props.edit.value = keepBoth(props.edit.value, text)
            }}
          >
            {say("Keep both")}
          </button>
        )}
        <button
          type="button"
          class="button is-small"
          onClick$={() => {
            props.edit.value = keepMine(props.edit.value, field)
          }}
        >
          {say("Keep mine")}
        </button>
        <button
          type="button"
          class="button is-small"
          onClick$={() => {
            props.edit.value = useTheirs(props.edit.value, field)
          }}
        >
          {say("Take theirs")}
        </button>
      </div>
    </div>
  )
})
