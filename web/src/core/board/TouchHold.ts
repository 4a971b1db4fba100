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

export interface TouchHold<Card> {
  /** Where the finger is with a card that it lifted; null while it has none. */
  readonly lifted: { readonly card: Card; readonly point: TouchPoint } | null
  /** A finger came down on a card. */
  down(card: Card, point: TouchPoint): void
  /** Whether a move of the finger moves a card, and so must not scroll the page. */
  moved(point: TouchPoint): boolean
  /** Ends it, and gives the card that was lifted with the finger's last place. */
  end(): { readonly card: Card; readonly point: TouchPoint } | null
}

/** One finger on a card: it scrolls, waits, or has lifted the card. */
export function createTouchHold<Card>(onLift: (card: Card, point: TouchPoint) => void): TouchHold<Card> {
  let held: { readonly card: Card; point: TouchPoint } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let start: TouchPoint = { x: 0, y: 0 }
  return {
    get lifted() {
      return held
    },
    down: (card, point) => {
      clearTimeout(timer)
      start = point
      timer = setTimeout(() => {
        held = { card, point }
        onLift(card, point)
      }, HOLD_MS)
    },
    moved: (point) => {
      if (held !== null) {
        held.point = point
        return true
      }
      if (Math.hypot(point.x - start.x, point.y - start.y) > SLOP) clearTimeout(timer)
      return false
    },
    end: () => {
      clearTimeout(timer)
      const lifted = held
      held = null
      return lifted
    }
  }
}
