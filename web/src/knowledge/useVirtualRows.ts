import { type Signal, useConstant, useSignal } from "@builder.io/qwik"
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

/** The rows currently on the page. */
interface VirtualRange {
  readonly rows: ReadonlyArray<{ readonly index: number; readonly start: number }>
  /** Total height of all rows, in pixels. */
  readonly height: number
}

const OVERSCAN = 12

/**
 * Keeps only the rows near the visible ones on the page. `kept` is the index of one more row to keep, such as the
 * focused one; -1 for none.
 */
export const useVirtualRows = (
  scroller: Signal<HTMLElement | undefined>,
  count: Signal<number>,
  kept: Signal<number>,
  rowHeight: () => number
) => {
  const range = useSignal<VirtualRange>({ rows: [], height: 0 })
  const holder = useConstant<{ virtualizer: Virtualizer<HTMLElement, Element> | null }>(() => ({ virtualizer: null }))

  useBrowserTask$(({ cleanup }) => {
    const element = scroller.value
    if (element === undefined) return
    const height = rowHeight()
    const show = (virtualizer: Virtualizer<HTMLElement, Element>) => {
      range.value = {
        rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start })),
        height: virtualizer.getTotalSize()
      }
    }
    const virtualizer = new Virtualizer<HTMLElement, Element>({
      count: count.value,
      getScrollElement: () => element,
      estimateSize: () => height,
      overscan: OVERSCAN,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: show,
      rangeExtractor: ({ startIndex, endIndex, overscan, count: all }) => {
        const first = Math.max(0, startIndex - overscan)
        const last = Math.min(all - 1, endIndex + overscan)
        const indexes = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
        const focused = kept.value
        if (focused < 0 || focused >= all || (focused >= first && focused <= last)) return indexes
        return focused < first ? [focused, ...indexes] : [...indexes, focused]
      }
    })
    holder.virtualizer = virtualizer
    const unmount = virtualizer._didMount()
    virtualizer._willUpdate()
    show(virtualizer)
    cleanup(() => {
      unmount()
      holder.virtualizer = null
    })
  })
  useBrowserTask$(({ track }) => {
    const all = track(() => count.value)
    track(() => kept.value)
    const { virtualizer } = holder
    if (virtualizer === null) return
    virtualizer.setOptions({ ...virtualizer.options, count: all })
    virtualizer.measure()
    range.value = {
      rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start })),
      height: virtualizer.getTotalSize()
    }
  })

  return { range, scrollTo: (index: number) => holder.virtualizer?.scrollToIndex(index, { align: "auto" }) }
}
