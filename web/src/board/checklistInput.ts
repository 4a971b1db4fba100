import type { AppServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { unsavedText } from "../core/board/BoardActions.ts"
import { type Checklist, itemsOf, withItem, withMoved, withNew } from "../core/board/checklist.ts"
import { say } from "../core/language/say.ts"
import { uuid } from "../core/link/browserEnvironment.ts"
import { growWithText } from "../ui/growWithText.ts"
import type { BoardUi } from "./BoardContext.ts"
import { announce, patchCards } from "./boardDeeds.ts"

/** A moved item may be redrawn for this many frames, each of which takes the focus from it. */
const FRAMES = 24

const itemOf = (target: Element): string | null => target.closest<HTMLElement>("[data-item]")?.dataset.item ?? null

/**
 * Clicks and keys on a card's checklist; every change is saved at once. Enter goes on to the next item or adds the one
 * that was typed, Backspace in an empty item removes it, and Alt with an arrow moves one.
 */
export const checklistInput = (root: HTMLElement, app: AppServices, ui: BoardUi, taskId: string): (() => void) => {
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

  /** Adds what was typed; what can't be saved stands in the field again, above what was typed since. */
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
