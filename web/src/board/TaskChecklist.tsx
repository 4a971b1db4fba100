import { component$, useSignal } from "@builder.io/qwik"
import type { ChecklistItem } from "../../../src/contract/schema/task.ts"
import { type AppServices, useServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { unsavedText } from "../core/board/BoardActions.ts"
import {
  type Checklist,
  itemsOf,
  MAX_ITEM_TEXT,
  MAX_ITEMS,
  progressText,
  progressWords,
  withItem,
  withMoved,
  withNew
} from "../core/board/checklist.ts"
import { say } from "../core/language/say.ts"
import { uuid } from "../core/link/browserEnvironment.ts"
import { growWithText } from "../ui/growWithText.ts"
import { Icon } from "../ui/Icon.tsx"
import { UnseenNote } from "../ui/UnseenNote.tsx"
import { type BoardUi, useBoard } from "./BoardContext.ts"
import { announce, patchCards } from "./boardActions.ts"

/** A moved item may be redrawn for this many frames, each of which takes the focus from it. */
const FRAMES = 24

const itemOf = (target: Element): string | null => target.closest<HTMLElement>("[data-item]")?.dataset.item ?? null

/**
 * Clicks and keys on a card's checklist; every change is saved at once. Enter goes on to the next item or adds the one
 * that was typed, Backspace in an empty item removes it, and Alt with an arrow moves one.
 */
const checklistInput = (root: HTMLElement, app: AppServices, ui: BoardUi, taskId: string): (() => void) => {
  const items = () => itemsOf(ui.store.find(taskId)?.checklist ?? null)
  const fields = () => [...root.querySelectorAll<HTMLTextAreaElement>("textarea")]
  const fieldOf = (id: string) => root.querySelector<HTMLTextAreaElement>(`[data-item="${CSS.escape(id)}"] textarea`)

  /** Whether the card has it, or shows both versions to choose from. */
  const save = async (change: (items: Checklist) => Checklist): Promise<boolean> => {
    const task = ui.store.find(taskId)
    if (task === null) return false
    const next = change(itemsOf(task.checklist))
    if (next === task.checklist) return true
    const done = await ui.actions.patch(task, { checklist: next.length === 0 ? null : next })
    const problem = unsavedText(done)
    if (problem !== null) app.notices.show("error", problem)
    return done.ok
  }

  /** Adds the typed items; what can't be saved returns to the field, above what was typed since. */
  const add = async (field: HTMLTextAreaElement, text: string) => {
    field.value = ""
    growWithText(field)
    if (await save((all) => withNew(all, text, uuid))) return
    const now = field.isConnected ? field : (fields().at(-1) ?? field)
    now.value = [text, now.value].filter((words) => words.trim() !== "").join("\n")
    growWithText(now)
  }

  const remove = (id: string) => {
    const all = fields()
    const at = all.findIndex((field) => itemOf(field) === id)
    const next = all[at - 1] ?? all[at + 1]
    next?.focus()
    void patchCards(app, ui, [taskId], (task) => {
      const kept = withItem(itemsOf(task.checklist), id, { text: "" })
      return { checklist: kept.length === 0 ? null : kept }
    })
  }

  const onClick = (event: Event) => {
    if (!(event.target instanceof Element)) return
    const id = itemOf(event.target)
    if (id !== null && event.target.closest("[data-remove]") !== null) remove(id)
  }

  const onChange = (event: Event) => {
    const { target } = event
    if (target instanceof HTMLInputElement) {
      const [id, done] = [itemOf(target), target.checked]
      if (id !== null) void save((all) => withItem(all, id, { done }))
      return
    }
    if (!(target instanceof HTMLTextAreaElement)) return
    const id = itemOf(target)
    const text = target.value
    if (id === null) {
      if (text.trim() !== "") void add(target, text)
    } else if (text.trim() === "") remove(id)
    else void save((all) => withItem(all, id, { text: text.replace(/\s*\n\s*/g, " ") }))
  }

  const keepFocus = (id: string) =>
    retryAfterFrames(1, FRAMES, () => {
      const field = fieldOf(id)
      const isLost = document.activeElement === document.body
      if (isLost) field?.focus()
      return field === null || (!isLost && !root.contains(document.activeElement))
    })

  const move = (id: string, by: -1 | 1) => {
    void save((all) => withMoved(all, id, by))
    const all = items()
    const at = all.findIndex((item) => item.id === id) + 1
    announce(ui, say("Item {at} of {count}.", { at, count: all.length }))
    keepFocus(id)
  }

  const onKey = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLTextAreaElement) || event.ctrlKey || event.metaKey) return
    const id = itemOf(target)
    const all = fields()
    const at = all.indexOf(target)
    const isMove = event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")
    if (isMove && id !== null) {
      event.preventDefault()
      move(id, event.key === "ArrowUp" ? -1 : 1)
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault()
      if (id === null) void add(target, target.value)
      else all[at + 1]?.focus()
    } else if (event.key === "Backspace" && target.value === "" && id !== null) {
      event.preventDefault()
      remove(id)
    }
  }

  const onInput = (event: Event) => {
    if (event.target instanceof HTMLTextAreaElement) growWithText(event.target)
  }

  root.addEventListener("click", onClick)
  root.addEventListener("change", onChange)
  root.addEventListener("keydown", onKey)
  root.addEventListener("input", onInput)
  return () => {
    root.removeEventListener("click", onClick)
    root.removeEventListener("change", onChange)
    root.removeEventListener("keydown", onKey)
    root.removeEventListener("input", onInput)
  }
}

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
