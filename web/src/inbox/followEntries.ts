import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import type { Readable } from "../core/common/Observable.ts"
import type { Inbox } from "../core/inbox/createInbox.ts"
import type { InboxItem, InboxStore } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { decisionText } from "../core/inbox/outcomeText.ts"
import { say } from "../core/language/say.ts"
import { focusEntry } from "./inboxKeys.ts"

/** Frames until a change of the list is drawn. */
const FRAMES = 3

const entriesIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>("[data-entry]")]

/**
 * Keeps the position of keyboard users in the list: the first one has the focus to begin with, and the one
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

interface Follower {
  /** An item has ended, here or elsewhere. */
  readonly onEnded: (item: InboxItem) => void
  /** Reads what is shown to begin with, once ends are followed: none is missed in between. */
  readonly begin: () => Promise<void>
  readonly onFailure: () => void
}

/** Follows what ends in the inbox. Stops when the returned function is called. */
export const followEnded = (inbox: Pick<Inbox, "load">, { onEnded, begin, onFailure }: Follower): (() => void) => {
  let isOver = false
  let stop = () => {}
  const follow = async () => {
    const store = await inbox.load()
    if (isOver) return
    stop = store.ended.subscribe((end) => {
      if (end !== null) onEnded(end.item)
    })
    await begin()
  }
  follow().catch(onFailure)
  return () => {
    isOver = true
    stop()
  }
}

/** How long what came under a finger takes no decision: a double tap on the last item must not decide it too. */
export const HOLD_MS = 600

/**
 * Reports when items change their position, and when that was long enough ago: a tap that was meant for what was there must
 * not decide what is there now. Stops when the returned function is called.
 */
export const holdMoved = (
  open: Readable<ReadonlyArray<Pick<InboxItem, "id">>>,
  hold: (isHeld: boolean) => void
): (() => void) => {
  let known = open.get()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = open.subscribe((items) => {
    const isInPlace = known.every(({ id }, index) => items[index]?.id === id)
    known = items
    if (isInPlace) return
    hold(true)
    clearTimeout(timer)
    timer = setTimeout(() => hold(false), HOLD_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
