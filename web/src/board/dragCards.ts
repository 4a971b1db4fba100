import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine"
import { draggable, dropTargetForElements, monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { autoScrollForElements } from "@atlaskit/pragmatic-drag-and-drop-auto-scroll/element"
import { TASK_STATUSES, type TaskStatus } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import type { Place } from "../core/board/columns.ts"
import { createTouchHold, edgeStep, type TouchPoint } from "../core/board/TouchHold.ts"

/** Where a dragged card would land. */
export interface DropSpot {
  readonly status: TaskStatus
  readonly place: Place
  /** The card it was dropped onto while Shift was held. */
  readonly onto: string | null
}

const MARK = "data-drop"

/** Removes the mark from the current spot. */
const clearDropMark = (): void => {
  for (const marked of document.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK)
}

const mark = (element: Element, side: string): void => {
  if (element.getAttribute(MARK) === side) return
  clearDropMark()
  element.setAttribute(MARK, side)
}

/**
 * The spot under a point of the window, which gets marked; null if a card can't be dropped there, or already is
 * there.
 */
const dropSpotAt = (x: number, y: number, dragged: string, isOnto: boolean): DropSpot | null => {
  // The drag library keeps a tiny element of its own under the pointer.
  const under = document.elementsFromPoint(x, y).find((element) => !element.hasAttribute("data-pdnd-honey-pot"))
  const column = under?.closest<HTMLElement>("[data-column]") ?? columnBeside(under, x)
  const status = wordOf(TASK_STATUSES, column?.dataset.column)
  if (column === null || column === undefined || status === null) {
    clearDropMark()
    return null
  }
  const row = under?.closest<HTMLElement>("[data-task]")
  const id = row?.dataset.task
  if (row !== null && row !== undefined && id !== undefined) {
    if (id === dragged) {
      clearDropMark()
      return null
    }
    if (isOnto) {
      mark(row, "onto")
      return { status, place: { after: id }, onto: id }
    }
    const { top, height } = row.getBoundingClientRect()
    const before = y < top + height / 2
    mark(row, before ? "before" : "after")
    return { status, place: before ? { before: id } : { after: id }, onto: null }
  }
  // Between two cards, or where cards are still to be drawn.
  const next = [...column.querySelectorAll<HTMLElement>("[data-task]")].find((card) => {
    const { top, height } = card.getBoundingClientRect()
    return card.dataset.task !== dragged && y < top + height / 2
  })
  const before = next?.dataset.task
  if (next === undefined || before === undefined) {
    mark(column, "end")
    return { status, place: "end", onto: null }
  }
  mark(next, "before")
  return { status, place: { before }, onto: null }
}

/** The column next to a gap between two columns. */
const columnBeside = (under: Element | undefined, x: number): HTMLElement | null => {
  if (under?.matches(".board") !== true) return null
  const far = (column: Element) => {
    const { left, right } = column.getBoundingClientRect()
    return Math.max(left - x, x - right)
  }
  return [...under.querySelectorAll<HTMLElement>("[data-column]")].toSorted((a, b) => far(a) - far(b))[0] ?? null
}

/** What a board does with a drag. */
interface DragHooks {
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
  let isOnto = false
  // Escape ends a drag without a drop.
  let letGo = false
  // The browser's own events know the pointer's position first, even in a drag of a single move.
  const onPoint = (event: DragEvent) => {
    x = event.clientX
    y = event.clientY
    isOnto = event.shiftKey
    letGo = event.type === "drop"
    if (frame !== 0 || letGo) return
    frame = requestAnimationFrame(() => {
      frame = 0
      if (dragged !== null) dropSpotAt(x, y, dragged, isOnto)
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
        const spot = letGo ? dropSpotAt(x, y, id, isOnto) : null
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

/** What a lifted card looks like under the finger. */
interface Ghost {
  readonly id: string
  readonly element: HTMLElement
  readonly offsetX: number
  readonly offsetY: number
  frame: number
}

const pointOf = ({ clientX, clientY }: Touch): TouchPoint => ({ x: clientX, y: clientY })

/** Drags cards by touch: hold a card until it lifts, then move it; near an edge the board scrolls. */
export const touchDrag = (board: HTMLElement, hooks: DragHooks): (() => void) => {
  let ghost: Ghost | null = null
  let justDropped = false
  /** The card was taken from under the finger, which does nothing more until it's lifted. */
  let isIdle = false
  let isTouching = false
  let finger: AbortController | null = null

  const lift = (card: HTMLElement, { x, y }: TouchPoint) => {
    const id = card.closest<HTMLElement>("[data-task]")?.dataset.task
    if (id === undefined || !card.isConnected) return
    const box = card.getBoundingClientRect()
    const element = document.createElement("div")
    element.className = "card-ghost"
    element.append(card.cloneNode(true))
    element.style.inlineSize = `${box.width}px`
    document.body.append(element)
    card.dataset.dragging = ""
    board.dataset.dragging = ""
    ghost = { id, element, offsetX: x - box.left, offsetY: y - box.top, frame: 0 }
    navigator.vibrate?.(10)
    hooks.onStart(id)
    follow()
  }
  const hold = createTouchHold(lift)

  /** Draws the lifted card under the finger and scrolls near an edge. */
  const follow = () => {
    if (ghost === null || hold.lifted === null) return
    if (!hold.lifted.card.isConnected) {
      isIdle = true
      return end(false)
    }
    const { x, y } = hold.lifted.point
    const { element, offsetX, offsetY, id } = ghost
    element.style.transform = `translate(${x - offsetX}px, ${y - offsetY}px)`
    dropSpotAt(x, y, id, false)
    const across = board.getBoundingClientRect()
    board.scrollLeft += edgeStep(x, across.left, across.right)
    const list = document.elementFromPoint(x, y)?.closest("[data-column]")?.querySelector("[data-column-list]")
    if (list !== null && list !== undefined) {
      const box = list.getBoundingClientRect()
      list.scrollTop += edgeStep(y, box.top, box.bottom)
    }
    ghost.frame = requestAnimationFrame(follow)
  }

  const end = (drop: boolean) => {
    const lifted = hold.end()
    if (lifted === null || ghost === null) return
    const { card, point } = lifted
    const { id, element, frame } = ghost
    const isGone = !card.isConnected
    ghost = null
    cancelAnimationFrame(frame)
    const spot = drop && !isGone ? dropSpotAt(point.x, point.y, id, false) : null
    clearDropMark()
    element.remove()
    delete card.dataset.dragging
    delete board.dataset.dragging
    justDropped = true
    setTimeout(() => {
      justDropped = false
    }, 0)
    if (isGone) hooks.onGone(id)
    else hooks.onDrop(id, spot)
  }

  /** A finger's events go to what it first touched, also when that isn't on the board any more. */
  const followFinger = (target: Element) => {
    finger?.abort()
    finger = new AbortController()
    const { signal } = finger
    target.addEventListener("touchmove", onMove, { passive: false, signal })
    target.addEventListener("touchend", onEnd, { signal })
    target.addEventListener("touchcancel", onEnd, { signal })
  }

  const onStart = (event: TouchEvent) => {
    const touch = event.touches[0]
    const target = event.target
    if (event.touches.length !== 1 || touch === undefined || !(target instanceof Element)) return end(false)
    isTouching = true
    isIdle = false
    followFinger(target)
    const card = target.closest<HTMLElement>(".card")
    if (card === null || card.closest("[data-task]") === null || target.closest("[data-card-menu]") !== null) return
    hold.down(card, pointOf(touch))
  }
  const onMove = (event: Event) => {
    if (!(event instanceof TouchEvent)) return
    const touch = event.touches[0]
    // The finger moves the card, not the page.
    const isCards = isIdle || (touch !== undefined && hold.moved(pointOf(touch)))
    if (isCards && event.cancelable) event.preventDefault()
  }
  const onEnd = (event: Event) => {
    if ((isIdle || hold.lifted !== null) && event.cancelable) event.preventDefault()
    isTouching = false
    isIdle = false
    end(event.type === "touchend")
  }
  /** Browsers show a menu for a held link; here a held card is being moved. */
  const onContext = (event: Event) => {
    const target = event.target
    const isOnCard = target instanceof Element && target.closest(".card") !== null
    if (hold.lifted !== null || (isOnCard && isTouching)) event.preventDefault()
  }
  const onClick = (event: Event) => {
    if (!justDropped) return
    event.preventDefault()
    event.stopPropagation()
  }
  const cancel = () => end(false)

  board.addEventListener("touchstart", onStart, { passive: true })
  // Whether a move is the page's is decided before the finger's own listeners are there.
  board.addEventListener("touchmove", onMove, { passive: false })
  board.addEventListener("contextmenu", onContext)
  board.addEventListener("click", onClick, true)
  window.addEventListener("blur", cancel)
  return () => {
    end(false)
    finger?.abort()
    board.removeEventListener("touchstart", onStart)
    board.removeEventListener("touchmove", onMove)
    board.removeEventListener("contextmenu", onContext)
    board.removeEventListener("click", onClick, true)
    window.removeEventListener("blur", cancel)
  }
}
