import { createObservable } from "../common/Observable.ts"

/** Pixels from the end that still count as being there. */
const NEAR_END = 24

/** Whether the log follows its end, and how many messages arrived below while it did not. */
export interface FollowState {
  readonly following: boolean
  readonly missed: number
}

/** How far a log is scrolled, how long it is, and how much of it is seen, in pixels. */
export interface ScrollPlace {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

/**
 * When a log follows its end. The reader's first move up ends it at once; coming back down to the end, or `follow()`,
 * begins it again. Positions alone never decide, so that growing text cannot be mistaken for a reader who scrolls.
 */
export class Following {
  readonly state = createObservable<FollowState>({ following: true, missed: 0 })
  private lastTop = 0

  follow(): void {
    this.state.set({ following: true, missed: 0 })
  }

  leave(): void {
    if (this.state.get().following) this.state.set({ following: false, missed: 0 })
  }

  /** The reader made a move up; where everything is seen there is nothing to leave. */
  movedUp({ scrollHeight, clientHeight }: ScrollPlace): void {
    if (scrollHeight > clientHeight + NEAR_END) this.leave()
  }

  /** The log went to a place by itself, not by the reader. */
  wasPut({ scrollTop }: ScrollPlace): void {
    this.lastTop = scrollTop
  }

  /** The log was scrolled, by whomever; `isEnd` tells whether its end is the end of the conversation. */
  scrolled({ scrollTop, scrollHeight, clientHeight }: ScrollPlace, isEnd: () => boolean): void {
    const movedDown = scrollTop > this.lastTop
    this.lastTop = scrollTop
    const isNear = scrollHeight - clientHeight - scrollTop <= NEAR_END
    if (movedDown && !this.state.get().following && isNear && isEnd()) this.follow()
  }

  /** Counts messages that arrived at the end. */
  arrived(count: number): void {
    const { following, missed } = this.state.get()
    if (!following && count > 0) this.state.set({ following, missed: missed + count })
  }
}
