import { createFollowing, type Following } from "../core/conversation/Following.ts"

/** Milliseconds a position is held: text inserted above is drawn and measured by then. */
const HOLD_MS = 400
/** Keys that scroll towards older text. */
const UP_KEYS = ["ArrowUp", "PageUp", "Home"]

export interface ScrollFollower {
  readonly state: Following["state"]
  /** Goes to the end and stays there. */
  follow(): void
  /** Counts messages that arrived at the end. */
  arrived(count: number): void
  /** Keeps what the reader is looking at in place while text is inserted above; call it before that is drawn. */
  holdPlace(): void
  dispose(): void
  /** Stops following and forgets any held position: the log is going elsewhere. */
  leave(): void
  /** Scrolls so that an element's top is this many pixels below the log's. */
  place(element: Element, offset: number): void
}

/**
 * Keeps the end of a scrolling log in view while the reader is there: `Following` decides when, this passes on wheel,
 * touch, keys and scroll bar, and moves the log.
 */
export function createScrollFollower(
  scroller: HTMLElement,
  content: HTMLElement,
  isEnd: () => boolean = () => true
): ScrollFollower {
  const following = createFollowing()
  const { state } = following
  let endTouch = () => {}
  let anchor: Place | null = null
  let holdTimer: ReturnType<typeof setTimeout> | undefined
  const stops: Array<() => void> = []

  function listen<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void
  ): void {
    scroller.addEventListener(type, listener, { passive: true })
    stops.push(() => scroller.removeEventListener(type, listener))
  }

  const release = () => following.movedUp(scroller)

  function onScroll(): void {
    // The reader scrolls in the meantime: unless text was inserted since, the held position is the current one.
    if (anchor !== null && anchor.element.offsetTop === anchor.offset) {
      anchor = placeOf(anchor.element)
    }
    following.scrolled(scroller, isEnd)
  }

  function onResize(): void {
    if (anchor?.element.isConnected === true) {
      const { element, top } = anchor
      scroller.scrollTop += element.getBoundingClientRect().top - top
      anchor = placeOf(element)
    }
    if (state.get().following) toEnd()
  }

  function toEnd(): void {
    scroller.scrollTop = scroller.scrollHeight
    following.wasPut(scroller)
  }

  const observer = new ResizeObserver(() => onResize())
  observer.observe(content)
  observer.observe(scroller)
  stops.push(() => observer.disconnect())
  listen("wheel", (event) => {
    if (event.deltaY < 0) release()
  })
  listen("touchstart", (event) => {
    endTouch()
    endTouch = followTouch(event, release)
  })
  listen("keydown", (event) => {
    if (UP_KEYS.includes(event.key) && !isEditable(event.target)) release()
  })
  listen("pointerdown", (event) => {
    if (event.target === scroller && event.offsetX > scroller.clientWidth) release()
  })
  listen("scroll", () => onScroll())
  toEnd()

  return {
    state,
    follow: () => {
      following.follow()
      toEnd()
    },
    arrived: (count) => following.arrived(count),
    holdPlace: () => {
      const edge = scroller.getBoundingClientRect().top
      for (const element of scroller.querySelectorAll<HTMLElement>("[data-item]")) {
        if (element.getBoundingClientRect().bottom <= edge) continue
        anchor = placeOf(element)
        clearTimeout(holdTimer)
        holdTimer = setTimeout(() => {
          anchor = null
        }, HOLD_MS)
        return
      }
    },
    dispose: () => {
      clearTimeout(holdTimer)
      endTouch()
      for (const stop of stops) stop()
    },
    leave: () => {
      anchor = null
      following.leave()
    },
    place: (element, offset) => {
      scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - offset
      following.wasPut(scroller)
    }
  }
}

/** Pixels that a finger moves by itself. */
const TOUCH_SLOP = 4

/**
 * Reports a finger that pulls the text down, until it is lifted. A touch belongs to what it began on: if that is drawn
 * anew, the log no longer receives its events.
 */
function followTouch({ target, touches }: TouchEvent, onPull: () => void): () => void {
  const listening = new AbortController()
  const stop = () => listening.abort()
  const options = { passive: true, signal: listening.signal }
  const start = touches[0]?.clientY ?? 0
  const onMove = (event: Event) => {
    const [finger] = event instanceof TouchEvent ? event.touches : []
    if (finger !== undefined && finger.clientY > start + TOUCH_SLOP) onPull()
  }
  target?.addEventListener("touchmove", onMove, options)
  target?.addEventListener("touchend", stop, options)
  target?.addEventListener("touchcancel", stop, options)
  return stop
}

/** An element's position on screen and within the text. */
interface Place {
  readonly element: HTMLElement
  readonly top: number
  readonly offset: number
}

const placeOf = (element: HTMLElement): Place => ({
  element,
  top: element.getBoundingClientRect().top,
  offset: element.offsetTop
})

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
