import { Clock, Deferred, Effect, Schema } from "effect"
import { dropOutside } from "../ratelimit/attemptStore.ts"

/** The half-life of attempts. */
const HALF_LIFE_MS = 30_000
/** Dropping the least recently used key only affects the order, so the exact bound doesn't matter. */
const MAX_PREFIXES = 10_000
const MAX_KNOWN = 32
/** The weight of an attempt for the client, its site and its provider. */
const WEIGHTS = [1, 1 / 4, 1 / 16]

interface Tries {
  readonly count: number
  readonly at: number
}

/** Returns a client address, its site (/24 of IPv4, /48 of IPv6) and its provider (/16, /32). */
const prefixesOf = (from: string): ReadonlyArray<string> => {
  const separator = from.includes(":") ? ":" : "."
  const parts = from.split(separator)
  return parts.length < 4 ? [from] : [from, parts.slice(0, 3).join(separator), parts.slice(0, 2).join(separator)]
}

interface SignInPressure {
  /** Counts an attempt from an address. */
  readonly note: (from: string, now: number) => void
  /** The weight of recent attempts from an address and its surroundings; the lowest is next. */
  readonly of: (from: string, now: number) => number
  /** Records that the correct password came from an address, which from then on has priority. */
  readonly welcome: (from: string) => void
}

/**
 * Measures the recent attempts of each address. An attacker with many addresses has them in few sites and providers, so
 * their attempts add up, and thousands of new addresses don't look like thousands of people.
 */
const makeSignInPressure = (): SignInPressure => {
  const tries = new Map<string, Tries>()
  const known = new Set<string>()

  const countOf = (prefix: string, now: number): number => {
    const { count, at } = tries.get(prefix) ?? { count: 0, at: now }
    return count * 2 ** (Math.min(0, at - now) / HALF_LIFE_MS)
  }

  const dropFirst = (names: Map<string, unknown> | Set<string>, most: number) => {
    if (names.size <= most) return
    for (const first of names.keys()) {
      names.delete(first)
      return
    }
  }

  return {
    note: (from, now) => {
      for (const prefix of prefixesOf(from)) {
        const count = countOf(prefix, now) + 1
        tries.delete(prefix)
        tries.set(prefix, { count, at: now })
        dropFirst(tries, MAX_PREFIXES)
      }
    },
    of: (from, now) =>
      known.has(from)
        ? 0
        : prefixesOf(from).reduce((sum, prefix, level) => sum + countOf(prefix, now) * (WEIGHTS[level] ?? 0), 0),
    welcome: (from) => {
      known.delete(from)
      known.add(from)
      dropFirst(known, MAX_KNOWN)
    }
  }
}

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
