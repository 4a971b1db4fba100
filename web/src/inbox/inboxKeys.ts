import { keyOf } from "../core/inbox/kindText.ts"

/** What the keys do beyond pressing an item's own buttons. */
interface InboxKeys {
  /** The element with the items. */
  readonly list: HTMLElement
  /** There is only one item, which needs no focus. */
  readonly isAlone?: boolean
  /** Draws more items; false if there are none. */
  readonly more: () => boolean
  readonly toggle: (id: string) => void
  /** Ends selecting; false if nothing is selected. */
  readonly clear: () => boolean
  /** Acts on everything selected; false if nothing is selected. */
  readonly actOnSelected: (key: string) => boolean
}

const TEXT_FIELDS = "textarea, select, input:not([type=checkbox], [type=radio])"
const OVERLAYS = "dialog[open], :popover-open"

const entriesIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>("[data-entry]")]

/** Focuses an item; its own controls follow it in the order of tabs. */
export const focusEntry = (entry: HTMLElement | undefined): void => {
  entry?.focus({ preventScroll: true })
  entry?.scrollIntoView({ block: "nearest" })
}

/** The item that has the focus. */
const currentIn = (list: HTMLElement): HTMLElement | undefined =>
  entriesIn(list).find((entry) => entry.contains(document.activeElement))

const pressAction = (entry: HTMLElement, key: string): boolean => {
  const buttons = [...entry.querySelectorAll<HTMLButtonElement>("button[data-action]:not(:disabled)")]
  const button = buttons.find(({ dataset }) => keyOf(dataset.action ?? "") === key)
  button?.click()
  return button !== undefined
}

/** Answers a question that is complete, or goes to its first input; opens what anything else is about. */
const enter = (entry: HTMLElement): void => {
  const submit = entry.querySelector<HTMLButtonElement>("form button[type=submit]")
  if (submit?.disabled === false) submit.click()
  else if (submit !== null)
    entry.querySelector<HTMLElement>("form fieldset:not([hidden]) input, form textarea")?.focus()
  else
    (
      entry.querySelector<HTMLElement>("[data-open], .item-title [data-about]") ??
      entry.querySelector<HTMLElement>("[data-about]")
    )?.click()
}

/** Chooses an option of the question that is shown, by its number. */
const choose = (entry: HTMLElement, index: number): boolean => {
  const part = entry.querySelector("fieldset:not([hidden])")
  const option = part?.querySelectorAll<HTMLInputElement>("input[type=radio], input[type=checkbox]")[index]
  option?.click()
  entry.focus({ preventScroll: true })
  return option !== undefined
}

/** The keys of the inbox. Stops when the returned function is called. */
export const inboxKeys = (keys: InboxKeys): (() => void) => {
  const { list } = keys
  /** Where to go on as soon as more items are drawn. */
  let goOnAt: number | null = null
  const drawn = new MutationObserver(() => {
    const next = goOnAt === null ? undefined : entriesIn(list)[goOnAt]
    if (next === undefined) return
    goOnAt = null
    focusEntry(next)
  })
  drawn.observe(list, { childList: true, subtree: true })

  const step = (by: 1 | -1): void => {
    const entries = entriesIn(list)
    const current = currentIn(list)
    const at = current === undefined ? (by === 1 ? -1 : entries.length) : entries.indexOf(current)
    const next = entries[at + by]
    if (next !== undefined) focusEntry(next)
    else if (by === 1 && goOnAt === null && keys.more()) goOnAt = at + 1
  }

  const onItem = (key: string, entry: HTMLElement): boolean => {
    if (key === "x") keys.toggle(entry.dataset.entry ?? "")
    else if (/^[1-9]$/.test(key)) return choose(entry, Number(key) - 1)
    else return pressAction(entry, key)
    return true
  }

  const isHandled = (event: KeyboardEvent): boolean => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const target = event.target instanceof Element ? event.target : null
    const entry = currentIn(list) ?? (keys.isAlone === true ? entriesIn(list)[0] : undefined)
    if (target?.closest(TEXT_FIELDS) != null) {
      if (key === "Escape" && entry !== undefined) focusEntry(entry)
      return key === "Escape" && entry !== undefined
    }
    if (key === "j" || key === "ArrowDown" || key === "k" || key === "ArrowUp") {
      // Arrows choose among the options of a question.
      if (key.startsWith("Arrow") && target?.closest("input") != null) return false
      step(key === "j" || key === "ArrowDown" ? 1 : -1)
      return true
    }
    if (key === "Escape") return keys.clear()
    if (keys.actOnSelected(key)) return true
    if (entry === undefined || (event.repeat && key !== "x")) return false
    if (key !== "Enter") return onItem(key, entry)
    // A button, box or link that has the focus takes the key itself.
    if (target?.closest("a, button, input, summary") != null) return false
    enter(entry)
    return true
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    if (document.querySelector(OVERLAYS) !== null) return
    if (event.ctrlKey || event.metaKey) {
      const form = event.target instanceof Element ? event.target.closest("form") : null
      if (event.key === "Enter" && form !== null && list.contains(form)) form.requestSubmit()
      return
    }
    if (isHandled(event)) event.preventDefault()
  }
  document.addEventListener("keydown", onKey)
  return () => {
    document.removeEventListener("keydown", onKey)
    drawn.disconnect()
  }
}
