import { Clock, Effect, Exit, Fiber, FiberHandle, Queue, Result, Schedule } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { orWarn } from "../platform/orWarn.ts"
import type { BudgetBook, Entry } from "./BudgetBook.ts"
import { heldKey } from "./BudgetBook.ts"
import { finishTurn, resume } from "./budgetChanges.ts"
import { unstoppedDraft } from "./budgetItems.ts"
import type { GatewayMeter } from "./gatewayMeter.ts"
import { isStopping } from "./heldSession.ts"
import type { Work } from "./workScope.ts"

/** What's running is compared with the gateway's list this often while something is held. */
const LOOK_EVERY_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000
/** A stop that fails for so long is told. */
const TOLD_AFTER_MS = 10_000
const STOP_LIMIT = "5 seconds"
/** How long a session waits for those it spawned; a stop that's left unanswered doesn't keep the parent running. */
const CHILDREN_FIRST = "500 millis"
const STORE_AGAIN = Schedule.spaced("1 second")

/** A stop that the gateway refused. */
interface Refused {
  readonly since: number
  readonly nextAt: number
}

/** Marks a card's run as paused before its session is stopped. */
export type PauseRun = (work: Work) => Effect.Effect<void>

const isAway = ({ reason }: GatewayError): boolean => reason === "unreachable"

/** The next pause of a stop that has failed for so long, in milliseconds: each second until it's told, then less often. */
const pauseAfter = (failedMs: number): number => (failedMs < TOLD_AFTER_MS ? FIRST_PAUSE_MS : LONGEST_PAUSE_MS)

/** Stops the running turns of one gateway that something holds, until none of them runs. */
export const makeSessionStops = Effect.fnUntraced(function* (
  book: BudgetBook,
  meter: GatewayMeter,
  pauseRun: PauseRun
) {
  const { gatewayId } = meter
  const wakes = yield* Queue.sliding<void>(1)
  const wake = () => Queue.offerUnsafe(wakes, undefined)
  /** The stops on their way, by session: none waits for the answer to another. */
  const stopping = new Map<string, Fiber.Fiber<unknown>>()
  const scope = yield* Effect.scope
  const refused = new Map<string, Refused>()

  const write = (body: (entry: Entry) => void) =>
    book
      .write((entry) => {
        body(entry)
        return Result.void
      })
      .pipe(
        Effect.tapError(({ message }) => Effect.logWarning(`Couldn't store a stop: ${message}`)),
        Effect.retry(STORE_AGAIN),
        Effect.orDie
      )

  /** The sessions to stop, of which each has a held turn or a stop that isn't confirmed. */
  const targets = (): ReadonlyArray<Work> => {
    const works = new Map<string, Work>()
    for (const { runId, work } of book.running.all())
      if (work.gatewayId === gatewayId && book.holderOf(work, runId) !== undefined) works.set(work.sessionKey, work)
    for (const session of book.pages().held.values()) {
      if (session.gatewayId !== gatewayId || !isStopping(session) || works.has(session.sessionKey)) continue
      const work = book.workOf(gatewayId, session.sessionKey)
      if (book.holderOf(work) !== undefined) works.set(session.sessionKey, work)
    }
    return [...works.values()]
  }

  /** Notes that a session's turn is over: stopped, or by itself. */
  const confirm = Effect.fnUntraced(function* (work: Work, wasStopped: boolean) {
    yield* write((entry) => {
      for (const { runId } of entry.running.inSession(work)) finishTurn(entry, work, runId)
      const session = entry.held.get(heldKey(work))
      if (session !== undefined) {
        entry.move(session, wasStopped ? { type: "aborted" } : { type: "idle", isCard: work.taskId !== undefined })
      } else if (wasStopped) {
        // What held it has ended while the gateway was stopping it.
        const { rootKey, sessionKey } = work
        resume(entry, { gatewayId, sessionKey, rootKey, state: "stopped", since: entry.now, hasBegun: false })
      }
    })
    refused.delete(work.sessionKey)
    return true
  })

  const fail = Effect.fnUntraced(function* (work: Work, triedAt: number, why: Failure) {
    const now = yield* Clock.currentTimeMillis
    const since = refused.get(work.sessionKey)?.since ?? triedAt
    refused.set(work.sessionKey, { since, nextAt: now + pauseAfter(now - since) })
    if (now - since < TOLD_AFTER_MS) return false
    yield* write((entry) => {
      const session = entry.held.get(heldKey(work))
      if (session !== undefined && isStopping(session)) entry.open(unstoppedDraft(session, why, entry.now))
    })
    return false
  })

  /** A gateway that's away is asked when it returns. */
  const leave = ({ sessionKey }: Work) => {
    refused.delete(sessionKey)
    return false
  }

  /** Stops a session; false if its turn may be running still. */
  const stopOne = Effect.fnUntraced(function* (work: Work) {
    if (!(yield* meter.isHere)) return leave(work)
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.gen(function* () {
      if (yield* meter.abort(work.sessionKey)) return yield* confirm(work, true)
      const { isRunning, isSure, wasStopped } = yield* meter.lookUp(work.sessionKey)
      // A console that was killed meanwhile may have stopped it without noting that.
      if (!isRunning) return yield* confirm(work, wasStopped)
      if (isSure) return yield* fail(work, now, failure("STOP_WITHOUT_EFFECT"))
      // An older gateway stops only what was sent as a message, and lists some of that as running when it's over.
      const isMessage = work.jobId === undefined && work.rootKey === work.sessionKey
      yield* meter.isOver(work.sessionKey)
      if (isMessage) return yield* confirm(work, wasStopped)
      yield* meter.reset(work.sessionKey)
      return yield* confirm(work, true)
    }).pipe(
      Effect.timeoutOrElse({ duration: STOP_LIMIT, orElse: () => fail(work, now, failure("STOP_UNANSWERED")) }),
      Effect.catch((error) => (isAway(error) ? Effect.sync(() => leave(work)) : fail(work, now, error)))
    )
  })

  /** The same where something still holds the session. */
  const stopHeld = (work: Work) =>
    Effect.suspend(() =>
      targets().some(({ sessionKey }) => sessionKey === work.sessionKey)
        ? Effect.andThen(pauseRun(work), stopOne(work))
        : Effect.succeed(false)
    )

  /** Begins to stop a session, unless that's on its way already. */
  const begin = (work: Work, below: ReadonlyArray<Fiber.Fiber<unknown>>): Effect.Effect<Fiber.Fiber<unknown>> =>
    Effect.suspend(() => {
      const { sessionKey } = work
      const known = stopping.get(sessionKey)
      // A stop may be over before it's noted here.
      if (known !== undefined && known.pollUnsafe() === undefined) return Effect.succeed(known)
      return Fiber.awaitAll(below).pipe(
        Effect.timeoutOption(CHILDREN_FIRST),
        Effect.andThen(stopHeld(work)),
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logWarning("Couldn't stop a session", defect),
            Effect.flatMap(Clock.currentTimeMillis, (now) => fail(work, now, failure("STOP_WITHOUT_EFFECT")))
          )
        ),
        Effect.onExit((exit) =>
          Effect.sync(() => {
            stopping.delete(sessionKey)
            // Another turn may have begun in it meanwhile, or it's to be tried again.
            if (refused.has(sessionKey) || (Exit.isSuccess(exit) && exit.value)) wake()
          })
        ),
        Effect.forkIn(scope),
        Effect.tap((fiber) => Effect.sync(() => stopping.set(sessionKey, fiber)))
      )
    })

  /** Begins the stops that are due, children first; returns those on their way. */
  const begun = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const works = targets()
    const keys = new Set(works.map(({ sessionKey }) => sessionKey))
    for (const key of refused.keys()) if (!keys.has(key)) refused.delete(key)
    const due = works.filter(({ sessionKey }) => (refused.get(sessionKey)?.nextAt ?? 0) <= now)
    const begins: Array<{ readonly line: Work["line"]; readonly fiber: Fiber.Fiber<unknown> }> = []
    for (const work of due.toSorted((a, b) => b.line.length - a.line.length)) {
      const below = begins.flatMap(({ fiber, line }) => (line.includes(work.sessionKey) ? [fiber] : []))
      begins.push({ line: work.line, fiber: yield* begin(work, below) })
    }
    return begins.map(({ fiber }) => fiber)
  })

  /** Stops what's to be stopped, until the gateway has answered each stop or is away. */
  const pass = Effect.flatMap(begun, Fiber.awaitAll)

  const isHolding = () => {
    const { budgets, held, stop } = book.pages()
    return stop !== undefined || held.size > 0 || [...budgets.values()].some(({ pausedAt }) => pausedAt !== undefined)
  }

  const isCounting = () => [...book.pages().budgets.values()].some(({ limit }) => limit.minutes !== undefined)

  let lookedAt = yield* Clock.currentTimeMillis
  const looking = yield* FiberHandle.make()
  const work = Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const pauses = [...refused].flatMap(([key, { nextAt }]) =>
      stopping.has(key) ? [] : [Math.max(1, nextAt - before)]
    )
    const next = Math.min(LOOK_EVERY_MS, ...pauses)
    yield* Effect.timeoutOption(Queue.take(wakes), next)
    yield* begun
    const now = yield* Clock.currentTimeMillis
    if ((!isHolding() && !isCounting()) || Math.abs(now - lookedAt) < LOOK_EVERY_MS) return
    lookedAt = now
    // A slow list delays no stop; what it finds wakes this again.
    yield* FiberHandle.run(looking, meter.refresh.pipe(orWarn("Couldn't read which sessions run")), {
      onlyIfMissing: true
    })
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning("Couldn't stop sessions", cause), Effect.sleep("1 second"))
    )
  )

  yield* Effect.forkScoped(Effect.forever(work))

  return {
    wake,
    pass
  }
})

export type SessionStops = Effect.Success<ReturnType<typeof makeSessionStops>>
