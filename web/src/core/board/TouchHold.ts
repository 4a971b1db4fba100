/** A finger that rests this long on a card picks it up. */
const HOLD_MS = 350
/** A finger that moves further before that scrolls. */
const SLOP = 8
/** So near to an edge the board scrolls. */
const EDGE = 56
const SPEED = 12

export interface TouchPoint {
  readonly x: number
  readonly y: number
}

/** How far to scroll at a point between two edges, so that what is beyond the nearer one comes into sight. */
export const edgeStep = (at: number, from: number, to: number): number =>
  at < from + EDGE ? -SPEED : at > to - EDGE ? SPEED : 0

/** One finger on a card: it scrolls, waits, or has lifted the card. */
export class TouchHold<Card> {
  /** Where the finger is with a card that it lifted; null while it has none. */
  lifted: { readonly card: Card; point: TouchPoint } | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private start: TouchPoint = { x: 0, y: 0 }
  private readonly onLift: (card: Card, point: TouchPoint) => void

  constructor(onLift: (card: Card, point: TouchPoint) => void) {
    this.onLift = onLift
  }

  /** A finger came down on a card. */
  down(card: Card, point: TouchPoint): void {
    clearTimeout(this.timer)
    this.start = point
    this.timer = setTimeout(() => {
      this.lifted = { card, point }
      this.onLift(card, point)
    }, HOLD_MS)
  }

  /** Whether a move of the finger moves a card, and so must not scroll the page. */
  moved(point: TouchPoint): boolean {
    if (this.lifted !== null) {
      this.lifted.point = point
      return true
    }
    if (Math.hypot(point.x - this.start.x, point.y - this.start.y) > SLOP) clearTimeout(this.timer)
    return false
  }

  /** Ends it, and gives the card that was lifted with the finger's last place. */
  end(): { readonly card: Card; readonly point: TouchPoint } | null {
    clearTimeout(this.timer)
    const { lifted } = this
    this.lifted = null
    return lifted
  }
}
