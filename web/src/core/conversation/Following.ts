import { createObservable, type Readable } from "../common/Observable.ts"

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

export interface Following {
  readonly state: Readable<FollowState>
  follow(): void
  leave(): void
  /** The reader made a move up; where everything is seen there is nothing to leave. */
  movedUp(place: ScrollPlace): void
  /** The log went to a place by itself, not by the reader. */
  wasPut(place: ScrollPlace): void
  /** The log was scrolled, by whomever; `isEnd` tells whether its end is the end of the conversation. */
  scrolled(place: ScrollPlace, isEnd: () => boolean): void
  /** Counts messages that arrived at the end. */
  arrived(count: number): void
}

/**
 * When a log follows its end. The reader's first move up ends it at once; coming back down to the end, or `follow()`,
 * begins it again. Positions alone never decide, so that growing text cannot be mistaken for a reader who scrolls.
 */
export function createFollowing(): Following {
  const state = createObservable<FollowState>({ following: true, missed: 0 })
  let lastTop = 0

  const follow = () => state.set({ following: true, missed: 0 })

  function leave(): void {
    if (state.get().following) state.set({ following: false, missed: 0 })
  }

  return {
    state,
    follow,
    leave,
    movedUp: ({ scrollHeight, clientHeight }) => {
      if (scrollHeight > clientHeight + NEAR_END) leave()
    },
    wasPut: ({ scrollTop }) => {
      lastTop = scrollTop
    },
    scrolled: ({ scrollTop, scrollHeight, clientHeight }, isEnd) => {
      const movedDown = scrollTop > lastTop
      lastTop = scrollTop
      const isNear = scrollHeight - clientHeight - scrollTop <= NEAR_END
      if (movedDown && !state.get().following && isNear && isEnd()) follow()
    },
    arrived: (count) => {
      const { following, missed } = state.get()
      if (!following && count > 0) state.set({ following, missed: missed + count })
    }
  }
}
