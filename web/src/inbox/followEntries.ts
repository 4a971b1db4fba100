import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import type { InboxStore } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { decisionText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { focusEntry } from "./inboxKeys.ts"

/** Frames until a change of the list is drawn. */
const FRAMES = 3

const entriesIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>("[data-entry]")]

/**
 * Keeps the place of whoever goes through the items by keyboard: the first one has the focus to begin with, and the one
 * that takes the place of a decided item has it next. Says so when the item they were at was decided elsewhere. Stops
 * when the returned function is called.
 */
export const followEntries = ({ client, notices }: AppServices, list: HTMLElement): (() => void) => {
  let last: { readonly id: string; readonly index: number } | null = null
  let stopEnds = () => {}
  let isOver = false
  /** Only once: an item that comes later must not move what someone is reading. */
  let hasBegun = false

  const isLost = () => document.activeElement === null || document.activeElement === document.body
  const onFocus = ({ target }: FocusEvent) => {
    const entries = entriesIn(list)
    const index = entries.findIndex((entry) => target instanceof Node && entry.contains(target))
    last = { id: entries[index]?.dataset.entry ?? "", index }
  }
  const settle = () => {
    const entries = entriesIn(list)
    if (isOver || last === null || !isLost() || entries.some(({ dataset }) => dataset.entry === last?.id)) return
    if (entries.length > 0) focusEntry(entries[Math.min(last.index, entries.length - 1)])
    else document.querySelector<HTMLElement>("#main h1")?.focus()
  }
  const begin = () => {
    const [first] = entriesIn(list)
    if (isOver || hasBegun || first === undefined) return
    hasBegun = true
    const isUnused =
      isLost() || document.activeElement?.matches("#main, #main h1, .navigation a[aria-current]") === true
    if (last === null && isUnused && window.matchMedia("(pointer: fine)").matches) focusEntry(first)
  }
  const followEnds = ({ ended }: InboxStore) => {
    if (isOver) return
    stopEnds = ended.subscribe((end) => {
      if (end === null || end.isMine || end.item.id !== last?.id) return
      notices.show(
        "info",
        say("“{title}” was decided elsewhere. {decision}.", {
          title: titleOf(end.item),
          decision: decisionText(end.item)
        })
      )
    })
  }

  list.addEventListener("focusin", onFocus)
  const stopOpen = client.inbox.open.subscribe(() => afterFrames(FRAMES, last === null ? begin : settle))
  client.inbox.load().then(followEnds, () => {})
  afterFrames(FRAMES + 1, begin)
  return () => {
    isOver = true
    list.removeEventListener("focusin", onFocus)
    stopOpen()
    stopEnds()
  }
}
