import { component$, useSignal } from "@builder.io/qwik"
import type { ChecklistItem } from "../../../src/contract/schema/task.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { itemsOf, MAX_ITEM_TEXT, MAX_ITEMS, progressText, progressWords } from "../core/board/checklist.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { UnseenNote } from "../ui/UnseenNote.tsx"
import { useBoard } from "./BoardContext.ts"
import { checklistInput } from "./checklistInput.ts"
import "./checklist.css"

/** A card's steps: tick, reword, add, move and remove them; saved as it's done. */
export const TaskChecklist = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const root = useSignal<HTMLElement>()
  useBrowserTask$(({ cleanup }) => {
    if (root.value !== undefined) cleanup(checklistInput(root.value, app, ui, props.id))
  })
  // Tracks the state: what is shown includes what is still being saved.
  const { status } = ui.state.value
  const items = itemsOf(status === "ready" ? (ui.store.find(props.id)?.checklist ?? null) : null)
  const done = items.filter((item) => item.done).length
  return (
    <section ref={root} class="task-section checklist" aria-label={say("Checklist")}>
      {items.length > 0 && (
        <div key="head" class="row gap-2 task-section-head">
          <h3>{say("Checklist")}</h3>
          <span class="row gap-2 soft small tabular checklist-progress">
            <span class="checklist-bar" aria-hidden="true">
              <span style={{ inlineSize: `${(done / items.length) * 100}%` }} />
            </span>
            <span aria-hidden="true">{progressText(items)}</span>
            <span class="visually-hidden">{progressWords(items)}</span>
          </span>
        </div>
      )}
      {items.length > 0 && (
        <ul key="items" class="plain-list checklist-items">
          {items.map((item) => {
            const { id } = item
            return <ChecklistRow key={id} item={item} />
          })}
        </ul>
      )}
      <UnseenNote key="unseen" text={items.map(({ text }) => text).join("\n")} />
      {items.length < MAX_ITEMS && (
        <div key="add" class="checklist-add">
          <Icon name="plus" />
          <textarea
            rows={1}
            class="grow break-words bare checklist-text"
            aria-label={say("Add a checklist item")}
            placeholder={say("Add a checklist item")}
            data-checklist-add
          />
        </div>
      )}
    </section>
  )
})

const ChecklistRow = component$<{ readonly item: ChecklistItem }>((props) => {
  const { id, text, done } = props.item
  return (
    <li data-item={id} class={["checklist-item", done && "is-done"]}>
      <label class="checklist-tick">
        <input type="checkbox" checked={done} aria-label={text} />
      </label>
      <textarea
        rows={1}
        class="grow break-words bare checklist-text"
        maxLength={MAX_ITEM_TEXT}
        value={text}
        aria-label={say("Text of the item")}
      />
      <button
        type="button"
        class="icon-button"
        data-remove
        aria-label={say("Remove {item}", { item: text })}
        title={say("Remove")}
      >
        <Icon name="x" />
      </button>
    </li>
  )
})
