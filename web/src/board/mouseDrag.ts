import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine"
import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { autoScrollForElements } from "@atlaskit/pragmatic-drag-and-drop-auto-scroll/element"
import { clearDropMark, type DropSpot, dropSpotAt } from "./dropSpot.ts"

/** What a board does with a drag. */
export interface DragHooks {
  readonly onStart: (id: string) => void
  /** Null if the card was dropped where it can't go. */
  readonly onDrop: (id: string, spot: DropSpot | null) => void
  /** The card left its place during a drag by touch, which ends with that: somebody else moved or deleted it. */
  readonly onGone: (id: string) => void
}

const idOf = (data: Record<string | symbol, unknown>): string => (typeof data.task === "string" ? data.task : "")

/**
 * Drags cards with the mouse. A card becomes draggable when the pointer first moves over it, so a thousand cards cost
 * nothing; the board itself is the only drop target, and the spot under the pointer is looked up.
 */
export const mouseDrag = (board: HTMLElement, hooks: DragHooks): (() => void) => {
  const cards = new Map<HTMLElement, () => void>()
  const lists = new Map<Element, () => void>()
  const onOver = (event: PointerEvent) => {
    if (event.pointerType === "touch" || !(event.target instanceof Element)) return
    const element = event.target.closest<HTMLElement>(".card")
    if (element === null || cards.has(element)) return
    for (const [known, release] of cards) {
      if (known.isConnected) continue
      release()
      cards.delete(known)
    }
    const release = draggable({
      element,
      canDrag: ({ input }) =>
        document.elementFromPoint(input.clientX, input.clientY)?.closest("[data-card-menu]") === null,
      getInitialData: () => ({ task: element.closest<HTMLElement>("[data-task]")?.dataset.task ?? "" })
    })
    cards.set(element, release)
  }
  /** Lists come and go with their columns. */
  const watchLists = () => {
    for (const list of board.querySelectorAll("[data-column-list]"))
      if (!lists.has(list)) lists.set(list, autoScrollForElements({ element: list }))
  }
  let dragged: string | null = null
  let x = 0
  let y = 0
  let frame = 0
  // Escape ends a drag without a drop.
  let letGo = false
  // The browser's own events know the pointer's position first, even in a drag of a single move.
  const onPoint = (event: DragEvent) => {
    x = event.clientX
    y = event.clientY
    letGo = event.type === "drop"
    if (frame !== 0 || letGo) return
    frame = requestAnimationFrame(() => {
      frame = 0
      if (dragged !== null) dropSpotAt(x, y, dragged)
    })
  }
  board.addEventListener("pointerover", onOver)
  window.addEventListener("dragover", onPoint, true)
  window.addEventListener("drop", onPoint, true)
  const release = combine(
    dropTargetForElements({ element: board }),
    autoScrollForElements({ element: board }),
    monitorForElements({
      onDragStart: ({ source }) => {
        watchLists()
        dragged = idOf(source.data)
        source.element.dataset.dragging = ""
        hooks.onStart(dragged)
      },
      onDrop: ({ source }) => {
        const id = idOf(source.data)
        dragged = null
        delete source.element.dataset.dragging
        const spot = letGo ? dropSpotAt(x, y, id) : null
        clearDropMark()
        hooks.onDrop(id, spot)
      }
    })
  )
  return () => {
    board.removeEventListener("pointerover", onOver)
    window.removeEventListener("dragover", onPoint, true)
    window.removeEventListener("drop", onPoint, true)
    cancelAnimationFrame(frame)
    release()
    for (const stop of [...cards.values(), ...lists.values()]) stop()
  }
}
