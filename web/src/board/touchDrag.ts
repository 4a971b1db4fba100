import { clearDropMark, dropSpotAt } from "./dropSpot.ts"
import type { DragHooks } from "./mouseDrag.ts"

/** A finger that rests this long on a card picks it up. */
const HOLD_MS = 350
/** A finger that moves further before that scrolls. */
const SLOP = 8
/** So near to an edge the board scrolls. */
const EDGE = 56
const SPEED = 12

interface Held {
  readonly id: string
  readonly card: HTMLElement
  readonly ghost: HTMLElement
  readonly offsetX: number
  readonly offsetY: number
  x: number
  y: number
  frame: number
}

const step = (at: number, from: number, to: number): number => (at < from + EDGE ? -SPEED : at > to - EDGE ? SPEED : 0)

/** Drags cards with a finger: rest on a card until it lifts, then move it; near an edge the board scrolls along. */
export const touchDrag = (board: HTMLElement, hooks: DragHooks): (() => void) => {
  let held: Held | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let startX = 0
  let startY = 0
  let justDropped = false

  const lift = (card: HTMLElement, x: number, y: number) => {
    const id = card.closest<HTMLElement>("[data-task]")?.dataset.task
    if (id === undefined) return
    const box = card.getBoundingClientRect()
    const ghost = document.createElement("div")
    ghost.className = "card-ghost"
    ghost.append(card.cloneNode(true))
    ghost.style.inlineSize = `${box.width}px`
    document.body.append(ghost)
    card.dataset.dragging = ""
    board.dataset.dragging = ""
    held = { id, card, ghost, offsetX: x - box.left, offsetY: y - box.top, x, y, frame: 0 }
    navigator.vibrate?.(10)
    hooks.onStart(id)
    follow()
  }

  /** Draws the lifted card under the finger and scrolls what is near an edge. */
  const follow = () => {
    if (held === null) return
    const { ghost, x, y, offsetX, offsetY, id } = held
    ghost.style.transform = `translate(${x - offsetX}px, ${y - offsetY}px)`
    dropSpotAt(x, y, id)
    const across = board.getBoundingClientRect()
    board.scrollLeft += step(x, across.left, across.right)
    const list = document.elementFromPoint(x, y)?.closest("[data-column]")?.querySelector("[data-column-list]")
    if (list !== null && list !== undefined) {
      const box = list.getBoundingClientRect()
      list.scrollTop += step(y, box.top, box.bottom)
    }
    held.frame = requestAnimationFrame(follow)
  }

  const end = (drop: boolean) => {
    clearTimeout(timer)
    if (held === null) return
    const { id, card, ghost, x, y, frame } = held
    held = null
    cancelAnimationFrame(frame)
    const spot = drop ? dropSpotAt(x, y, id) : null
    clearDropMark()
    ghost.remove()
    delete card.dataset.dragging
    delete board.dataset.dragging
    justDropped = true
    setTimeout(() => {
      justDropped = false
    }, 0)
    hooks.onDrop(id, spot)
  }

  const onStart = (event: TouchEvent) => {
    clearTimeout(timer)
    const touch = event.touches[0]
    const target = event.target
    if (event.touches.length !== 1 || touch === undefined || !(target instanceof Element)) return end(false)
    const card = target.closest<HTMLElement>(".card")
    if (card === null || target.closest("[data-card-menu]") !== null) return
    startX = touch.clientX
    startY = touch.clientY
    timer = setTimeout(() => lift(card, startX, startY), HOLD_MS)
  }
  const onMove = (event: TouchEvent) => {
    const touch = event.touches[0]
    if (touch === undefined) return
    if (held === null) {
      if (Math.hypot(touch.clientX - startX, touch.clientY - startY) > SLOP) clearTimeout(timer)
      return
    }
    // The finger moves the card, not the page.
    if (event.cancelable) event.preventDefault()
    held.x = touch.clientX
    held.y = touch.clientY
  }
  const onEnd = (event: TouchEvent) => {
    if (held !== null && event.cancelable) event.preventDefault()
    end(event.type === "touchend")
  }
  /** Browsers show a menu for a link that is held; a held card is being moved. */
  const onContext = (event: Event) => {
    const target = event.target
    if (
      held !== null ||
      (timer !== undefined && target instanceof Element && target.closest(".card") !== null && isTouching)
    )
      event.preventDefault()
  }
  let isTouching = false
  const touching = (event: TouchEvent) => {
    isTouching = event.touches.length > 0
  }
  const onClick = (event: Event) => {
    if (!justDropped) return
    event.preventDefault()
    event.stopPropagation()
  }
  const cancel = () => end(false)

  board.addEventListener("touchstart", touching, { passive: true })
  board.addEventListener("touchstart", onStart, { passive: true })
  board.addEventListener("touchmove", onMove, { passive: false })
  board.addEventListener("touchend", onEnd)
  board.addEventListener("touchcancel", onEnd)
  board.addEventListener("touchend", touching)
  board.addEventListener("contextmenu", onContext)
  board.addEventListener("click", onClick, true)
  window.addEventListener("blur", cancel)
  return () => {
    end(false)
    board.removeEventListener("touchstart", touching)
    board.removeEventListener("touchstart", onStart)
    board.removeEventListener("touchmove", onMove)
    board.removeEventListener("touchend", onEnd)
    board.removeEventListener("touchcancel", onEnd)
    board.removeEventListener("touchend", touching)
    board.removeEventListener("contextmenu", onContext)
    board.removeEventListener("click", onClick, true)
    window.removeEventListener("blur", cancel)
  }
}
