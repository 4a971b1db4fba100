import { Clock, Deferred, Effect, Schema } from "effect"
import { dropOutside } from "../ratelimit/slidingWindow.ts"
import { makeSignInPressure } from "./signInPressure.ts"

/** Each check takes 16 MB and one of the four threads that also read files. */
const MOST_AT_ONCE = 2
const MOST_WAITING = 8
/** More wrong passwords in a minute, over all clients, than typing errors explain; further checks are delayed. */
const FAILURES_BEFORE_PAUSES = 60
const FAILURE_WINDOW_MS = 60_000
const PAUSE = "300 millis"
/** The retry delay, about as long as the queue takes. */
const RETRY_AFTER_MS = 2000

/** Too many sign-ins at once; the password wasn't checked. */
export class SignInBusy extends Schema.TaggedError<SignInBusy>()("SignInBusy", { retryAfterMs: Schema.Int }) {}

interface Waiting {
  readonly from: string
  readonly turn: Deferred.Deferred<void, SignInBusy>
  hasTurn: boolean
}

export interface SignInQueue {
  /** Checks a password from an address when its turn comes. */
  readonly run: (from: string, check: Effect.Effect<boolean>) => Effect.Effect<boolean, SignInBusy>
}

/** Makes an effect interruptible. */
type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

const busy = () => new SignInBusy({ retryAfterMs: RETRY_AFTER_MS })

/**
 * The queue of sign-ins. The client with the fewest attempts is next and, when the queue is full, replaces the one with
 * the most. First come, first served would lock the owner out during a flood from many addresses.
 */
export const makeSignInQueue = (): SignInQueue => {
  const pressure = makeSignInPressure()
  const failures: Array<number> = []
  let waiting: ReadonlyArray<Waiting> = []
  let running = 0

  /** Returns the waiting client with the most attempts, or the fewest if `sign` is -1; the earlier of equal ones. */
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

  /** Waits for a turn; fails if all waiting clients have fewer attempts. */
  const wait = (from: string, now: number, restore: Restore): Effect.Effect<void, SignInBusy> => {
    const one: Waiting = { from, turn: Deferred.makeUnsafe(), hasTurn: false }
    // Of two clients with equal attempts, the earlier one stays.
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
