import { Observable } from "../core/Observable.ts"

/** Pixels from the end that still count as being there. */
const NEAR_END = 24
/** Milliseconds that a place is held: text put in above is drawn and measured by then. */
const HOLD_MS = 400
/** Keys that move a reader towards older text. */
const UP_KEYS = ["ArrowUp", "PageUp", "Home"]

/** Whether the log follows its end, and how many messages arrived below while it did not. */
export interface FollowState {
  readonly following: boolean
  readonly missed: number
}

/**
 * Keeps the end of a scrolling log in view while the reader is there. The reader's first move up (wheel, touch, key,
 * scroll bar) ends it at once; coming back to the end, or `follow()`, begins it again. Positions alone never decide,
 * so that growing text cannot be mistaken for a reader who scrolls.
 */
export class ScrollFollower {
  readonly state = new Observable<FollowState>({ following: true, missed: 0 })
  private lastTop = 0
  private touchY = 0
  private anchor: Place | null = null
  private holdTimer: ReturnType<typeof setTimeout> | undefined
  private readonly stops: Array<() => void> = []
  private readonly scroller: HTMLElement

  private readonly isEnd: () => boolean

  /** `isEnd` tells whether the end of what is drawn is the end of the conversation. */
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
    this.state.set({ following: true, missed: 0 })
    this.toEnd()
  }

  /** Counts messages that arrived at the end. */
  arrived(count: number): void {
    const { following, missed } = this.state.get()
    if (!following && count > 0) this.state.set({ following, missed: missed + count })
  }

  /** Keeps what the reader looks at where it is on screen while text is put in above; call it before that is drawn. */
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

  /** Ends following and forgets any place that is held: the log goes elsewhere. */
  leave(): void {
    this.anchor = null
    if (this.state.get().following) this.state.set({ following: false, missed: 0 })
  }

  private release(): void {
    if (this.scroller.scrollHeight <= this.scroller.clientHeight + NEAR_END) return
    const { following } = this.state.get()
    if (following) this.state.set({ following: false, missed: 0 })
  }

  private onScroll(): void {
    const top = this.scroller.scrollTop
    const movedDown = top > this.lastTop
    this.lastTop = top
    // The reader goes on meanwhile: unless text was put in since, what is held is where it is now.
    if (this.anchor !== null && this.anchor.element.offsetTop === this.anchor.offset) {
      this.anchor = placeOf(this.anchor.element)
    }
    if (movedDown && !this.state.get().following && this.distanceToEnd() <= NEAR_END && this.isEnd()) {
      this.state.set({ following: true, missed: 0 })
    }
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
    this.lastTop = this.scroller.scrollTop
  }

  private distanceToEnd(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop
  }
}

/** Where an element is on screen, and within the text. */
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
