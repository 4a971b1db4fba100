import { type Signal, useConstant, useSignal } from "@builder.io/qwik"
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer
} from "@tanstack/virtual-core"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { type DrawnCards, drawnIndexes, firstCards, sameCards, spacedCards } from "../core/board/drawnCards.ts"
import { useBoard } from "./BoardContext.ts"

/** Pixels of a card that wasn't measured yet: a title and a line. */
const ESTIMATE = 82
/** Cards drawn before anything is measured: about a screen. */
const FIRST = 10
/** Cards drawn above and below those in sight. */
const OVERSCAN = 5

type CardVirtualizer = Virtualizer<HTMLElement, Element>

const drawnBy = (virtualizer: CardVirtualizer): DrawnCards =>
  spacedCards(virtualizer.getVirtualItems(), virtualizer.getTotalSize())

/**
 * The cards of a column that are drawn: those near the visible ones, and the one that the board keeps. Of a board with
 * thousands of cards a few dozen are on the page. The browser's own search finds only those; the board's filter finds
 * all of them.
 */
export const useDrawnCards = (
  list: Signal<HTMLElement | undefined>,
  tasks: () => ReadonlyArray<Task>
): Signal<DrawnCards> => {
  const ui = useBoard()
  const drawn = useSignal<DrawnCards>(() => firstCards(tasks().length, FIRST, ESTIMATE))
  const holder = useConstant<{ virtualizer: CardVirtualizer | null; kept: number }>(() => ({
    virtualizer: null,
    kept: -1
  }))

  useBrowserTask$(({ cleanup }) => {
    const element = list.value
    if (element === undefined) return
    const virtualizer: CardVirtualizer = new Virtualizer<HTMLElement, Element>({
      count: tasks().length,
      getItemKey: (index) => tasks()[index]?.id ?? index,
      getScrollElement: () => element,
      estimateSize: () => ESTIMATE,
      overscan: OVERSCAN,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      measureElement,
      rangeExtractor: (sight) => drawnIndexes(sight, holder.kept),
      onChange: (changed) => {
        const next = drawnBy(changed)
        if (!sameCards(next, drawn.value)) drawn.value = next
      }
    })
    holder.virtualizer = virtualizer
    const unmount = virtualizer._didMount()
    virtualizer._willUpdate()
    cleanup(() => {
      unmount()
      holder.virtualizer = null
    })
  })
  useBrowserTask$(({ track }) => {
    const now = track(tasks)
    const kept = track(() => ui.kept.value)
    const { virtualizer } = holder
    if (virtualizer === null) return
    holder.kept = kept === null ? -1 : now.findIndex(({ id }) => id === kept)
    virtualizer.setOptions({
      ...virtualizer.options,
      count: now.length,
      getItemKey: (index) => now[index]?.id ?? index,
      rangeExtractor: (sight) => drawnIndexes(sight, holder.kept)
    })
    const next = drawnBy(virtualizer)
    if (!sameCards(next, drawn.value)) drawn.value = next
  })
  useBrowserTask$(({ track }) => {
    track(() => [drawn.value, tasks()])
    const { virtualizer } = holder
    if (virtualizer === null) return
    // Cards that are gone are let go of first, then those that are drawn are measured.
    virtualizer.measureElement(null)
    for (const row of list.value?.querySelectorAll("[data-index]") ?? []) virtualizer.measureElement(row)
    ui.drawn.value++
  })
  return drawn
}
