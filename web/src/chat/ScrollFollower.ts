import { Following } from "../core/conversation/Following.ts"

/** Milliseconds a position is held: text inserted above is drawn and measured by then. */
const HOLD_MS = 400
/** Keys that scroll towards older text. */
const UP_KEYS = ["ArrowUp", "PageUp", "Home"]

/**
 * Keeps the end of a scrolling log in view while the reader is there: `Following` decides when, this tells it of wheel,
 * touch, keys and scroll bar, and moves the log.
 */
export class ScrollFollower {
  private readonly following = new Following()
  readonly state = this.following.state
  private touchY = 0
  private anchor: Place | null = null
  private holdTimer: ReturnType<typeof setTimeout> | undefined
  private readonly stops: Array<() => void> = []
  private readonly scroller: HTMLElement

  private readonly isEnd: () => boolean

  /** `isEnd` says whether the end of what is drawn is the end of the conversation. */
  constructor(scroller: HTMLElement, content: HTMLElement, isEnd: () => boolean = () => true) {
    this.scroller = scroller
    this.isEnd = isEnd
    const observer = new ResizeObserver(() => this.onResize())
    observer.observe(content)
    observer.observe(scroller)
    this.stops.push(() => observer.disconnect())
    this.listen("wheel", (event) => {
      if (event.deltaY < 0) this.release()
    })
    this.listen("touchstart", (event) => {
      this.touchY = event.touches[0]?.clientY ?? 0
    })
    this.listen("touchmove", (event) => {
      if ((event.touches[0]?.clientY ?? 0) > this.touchY + 4) this.release()
    })
    this.listen("keydown", (event) => {
      if (UP_KEYS.includes(event.key) && !isEditable(event.target)) this.release()
    })
    this.listen("pointerdown", (event) => {
      if (event.target === scroller && event.offsetX > scroller.clientWidth) this.release()
    })
    this.listen("scroll", () => this.onScroll())
    this.toEnd()
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.following.follow()
    this.toEnd()
  }

  /** Counts messages that arrived at the end. */
  arrived(count: number): void {
    this.following.arrived(count)
  }

  /** Keeps what the reader is looking at in place while text is inserted above; call it before that is drawn. */
  holdPlace(): void {
    const edge = this.scroller.getBoundingClientRect().top
    for (const element of this.scroller.querySelectorAll<HTMLElement>("[data-item]")) {
      if (element.getBoundingClientRect().bottom <= edge) continue
      this.anchor = placeOf(element)
      clearTimeout(this.holdTimer)
      this.holdTimer = setTimeout(() => {
        this.anchor = null
      }, HOLD_MS)
      return
    }
  }

  dispose(): void {
    clearTimeout(this.holdTimer)
    for (const stop of this.stops) stop()
  }

  private listen<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void
  ): void {
    this.scroller.addEventListener(type, listener, { passive: true })
    this.stops.push(() => this.scroller.removeEventListener(type, listener))
  }

  /** Stops following and forgets any held position: the log is going elsewhere. */
  leave(): void {
    this.anchor = null
    this.following.leave()
  }

  private release(): void {
    this.following.movedUp(this.scroller)
  }

  private onScroll(): void {
    // The reader scrolls in the meantime: unless text was inserted since, the held position is the current one.
    if (this.anchor !== null && this.anchor.element.offsetTop === this.anchor.offset) {
      this.anchor = placeOf(this.anchor.element)
    }
    this.following.scrolled(this.scroller, this.isEnd)
  }

  private onResize(): void {
    if (this.anchor?.element.isConnected === true) {
      const { element, top } = this.anchor
      this.scroller.scrollTop += element.getBoundingClientRect().top - top
      this.anchor = placeOf(element)
    }
    if (this.state.get().following) this.toEnd()
  }

  private toEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight
    this.following.wasPut(this.scroller)
  }
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
