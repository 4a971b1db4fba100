import { createTouchHold, edgeStep, type TouchPoint } from "../core/board/TouchHold.ts"
import { clearDropMark, dropSpotAt } from "./dropSpot.ts"
import type { DragHooks } from "./mouseDrag.ts"

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
    dropSpotAt(x, y, id)
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
    const spot = drop && !isGone ? dropSpotAt(point.x, point.y, id) : null
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
