import { Clock, Deferred, Effect, Schema } from "effect"
import { dropOutside } from "../ratelimit/slidingWindow.ts"
import { makeSignInPressure } from "./signInPressure.ts"

/** Each takes 16 MB and a thread of the four that files are read with, too. */
const MOST_AT_ONCE = 2
const MOST_WAITING = 8
/** So many wrong passwords in a minute, from everybody together, are nobody's typing errors: the next ones are slowed down. */
const FAILURES_BEFORE_PAUSES = 60
const FAILURE_WINDOW_MS = 60_000
const PAUSE = "300 millis"
/** When to come back; about as long as those who wait take. */
const RETRY_AFTER_MS = 2000

/** More people sign in at once than can be checked; nothing was tried. */
export class SignInBusy extends Schema.TaggedError<SignInBusy>()("SignInBusy", { retryAfterMs: Schema.Int }) {}

interface Waiting {
  readonly from: string
  readonly turn: Deferred.Deferred<void, SignInBusy>
  hasTurn: boolean
}

export interface SignInQueue {
  /** Checks a password that came from a counted address when it's its turn. */
  readonly run: (from: string, check: Effect.Effect<boolean>) => Effect.Effect<boolean, SignInBusy>
}

/** Makes what it gets interruptible. */
type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

const busy = () => new SignInBusy({ retryAfterMs: RETRY_AFTER_MS })

/**
 * The line at the door. Whoever tries least is next, and takes the place of whoever tries most once all are taken: first
 * come, first served would keep the owner out for as long as somebody floods the door from many addresses.
 */
export const makeSignInQueue = (): SignInQueue => {
  const pressure = makeSignInPressure()
  const failures: Array<number> = []
  let waiting: ReadonlyArray<Waiting> = []
  let running = 0

  /** The one who tries most of all who wait, or least if `sign` is -1; the earlier of two alike. */
  const extreme = (all: ReadonlyArray<Waiting>, now: number, sign: 1 | -1): Waiting | undefined => {
    let found: Waiting | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const one of all) {
      const tries = sign * pressure.of(one.from, now)
      if (tries > most) [found, most] = [one, tries]
    }
    return found
  }

  const leave = (one: Waiting): void => {
    waiting = waiting.filter((other) => other !== one)
  }

  const free = Effect.map(Clock.currentTimeMillis, (now) => {
    running -= 1
    const next = extreme(waiting, now, -1)
    if (next === undefined) return
    leave(next)
    running += 1
    next.hasTurn = true
    Deferred.doneUnsafe(next.turn, Effect.void)
  })

  /** Waits for a turn; fails if everybody who waits tries less. */
  const wait = (from: string, now: number, restore: Restore): Effect.Effect<void, SignInBusy> => {
    const one: Waiting = { from, turn: Deferred.makeUnsafe(), hasTurn: false }
    // Of two who try the same, the one who was there first stays.
    const last = waiting.length < MOST_WAITING ? undefined : extreme([one, ...waiting], now, 1)
    if (last === one) return Effect.fail(busy())
    if (last !== undefined) {
      leave(last)
      Deferred.doneUnsafe(last.turn, Effect.fail(busy()))
    }
    waiting = [...waiting, one]
    return Effect.onInterrupt(restore(Deferred.await(one.turn)), () => {
      leave(one)
      return one.hasTurn ? free : Effect.void
    })
  }

  const enter = (from: string, restore: Restore) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      pressure.note(from, now)
      if (running >= MOST_AT_ONCE) return wait(from, now, restore)
      running += 1
      return Effect.void
    })

  const check = Effect.fnUntraced(function* (from: string, isRight: Effect.Effect<boolean>) {
    dropOutside(failures, yield* Clock.currentTimeMillis, FAILURE_WINDOW_MS)
    if (failures.length >= FAILURES_BEFORE_PAUSES) yield* Effect.sleep(PAUSE)
    const right = yield* isRight
    if (right) pressure.welcome(from)
    else failures.push(yield* Clock.currentTimeMillis)
    return right
  })

  return {
    run: (from, isRight) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(enter(from, restore), Effect.ensuring(restore(check(from, isRight)), free))
      )
  }
}
