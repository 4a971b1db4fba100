import { Effect, Result } from "effect"
import { gatewayNote } from "../sessions/messages.ts"
import type { Session } from "../sessions/SessionStore.ts"
import type { AgentQuestions } from "./AgentQuestions.ts"
import { endTurn } from "./endTurn.ts"
import { newTurn } from "./newTurn.ts"
import { playTurn, type TurnEnd } from "./playTurn.ts"
import {
  type Active,
  dropWaiting,
  endQuietly,
  keepQueue,
  queueOf,
  type RunState,
  remember,
  settle,
  storeQuestion,
  takeHanded
} from "./runState.ts"
import type { ChatRunsOptions, Run, TurnRequest } from "./runTypes.ts"
import type { Turn } from "./TurnEvents.ts"
import { afterTurn, placeOf, withHanded, withWaiting } from "./turnQueue.ts"
import { makeTurnWriter } from "./turnWriter.ts"

export interface ChatRuns {
  /** A run that was started here and is still remembered. */
  readonly find: (runId: string) => Run | undefined
  /** A session's active run. */
  readonly running: (sessionKey: string) => Run | undefined
  /** Takes a question: it runs at once, or stands behind the session's running turn. */
  readonly start: (request: TurnRequest) => Run
  /**
   * Ends the running turn of a session; returns the ids of the runs that ended. What waits
   * behind it is dropped where `storesEnds`, else it goes on with that.
   */
  readonly abort: (
    session: Session,
    runId: string | undefined,
    kinds?: ReadonlyArray<Turn["kind"]>
  ) => ReadonlyArray<string>
  /** A command wrote into the transcript: the turn that is running fails where `storesEnds`. */
  readonly disturb: (session: Session) => void
  /** Ends a run that never started, because a command's answer replaced its turn. */
  readonly inject: (request: TurnRequest, text: string) => void
  /** Drops everything a session has queued. */
  readonly forget: (session: Session) => void
  /** Ends all turns, as a stopping process does; without `storesEnds` their rows stay running. */
  readonly stopAll: () => void
}

/** Runs one turn per session at a time; further messages wait. */
export const makeChatRuns = (options: ChatRunsOptions): ChatRuns => {
  const { events, fork, generation, newId, now, questions, sessions, store } = options
  const state: RunState = { options, runs: new Map(), active: new Map(), queues: new Map() }
  const { active } = state

  /** Does something after the response to the current request. */
  const later = (task: () => void) => fork(Effect.yieldNow.pipe(Effect.andThen(Effect.sync(task))))

  const begin = (request: TurnRequest, run: Run): void => {
    const { session } = request
    const turn = newTurn(request, now())
    run.turn = turn
    const begun = { run, turn, writer: makeTurnWriter(turn, options) }
    session.activeRuns.add(run.runId)
    session.status = "running"
    session.abortedLastRun = false
    const fiber = fork(
      Effect.yieldNow.pipe(
        Effect.andThen(playTurn(state, start, request, turn, begun.writer)),
        Effect.andThen((end) => Effect.sync(() => finish(begun, end)))
      )
    )
    active.set(session.key, { ...begun, fiber })
  }

  const next = ({ key }: Session): void => {
    const queue = afterTurn(queueOf(state, key))
    keepQueue(state, key, queue)
    const [first, ...waiting] = queue.waiting
    if (first === undefined || active.has(key)) return
    keepQueue(state, key, { ...queue, waiting })
    begin(first.request, first.run)
  }

  const finish = (ended: Omit<Active, "fiber">, end: TurnEnd): void => {
    endTurn(state, ended, end)
    next(ended.turn.session)
  }

  /** A message that answers the running turn's question, or doesn't: its own run ends at once, empty or with the reason. */
  const answer = (request: TurnRequest, run: Run, claimed: NonNullable<ReturnType<AgentQuestions["claim"]>>): void => {
    const turn = newTurn(request, now())
    const refusal = Result.isFailure(claimed) ? claimed.failure.message : undefined
    const user = storeQuestion(state, request, turn)
    later(() => {
      sessions.message(request.session, user, request.runId)
      if (refusal === undefined) events.queued(turn)
      else events.unaccepted(turn, `The answer was not accepted: ${refusal}. The question is still open.`)
      settle(state, run, { status: refusal === undefined ? "ok" : "error", text: "" })
    })
  }

  /** Puts a message behind the running turn. */
  const enqueue = (request: TurnRequest, run: Run): void => {
    const { key } = request.session
    const queued = { askedAs: request.runId, request, run }
    const place = placeOf(request, generation.steers)
    if (place === "handed") keepQueue(state, key, withHanded(queueOf(state, key), queued))
    else if (place === "waiting") keepQueue(state, key, withWaiting(queueOf(state, key), queued))
    else {
      const renamed = { ...request, runId: newId() }
      keepQueue(
        state,
        key,
        withWaiting(queueOf(state, key), { ...queued, request: renamed, run: remember(state, renamed) })
      )
      later(() => endQuietly(state, queued))
    }
  }

  const start = (request: TurnRequest): Run => {
    const run = remember(state, request)
    const { key } = request.session
    const isFree = !active.has(key)
    const claimed = isFree || request.kind !== "chat" ? undefined : questions.claim(key, request.text)
    if (isFree) begin(request, run)
    else if (claimed !== undefined) answer(request, run, claimed)
    else enqueue(request, run)
    return run
  }

  const abort: ChatRuns["abort"] = (session, runId, kinds) => {
    const stopped = active.get(session.key)
    if (stopped === undefined || (runId !== undefined && stopped.run.runId !== runId)) return []
    if (kinds !== undefined && !kinds.includes(stopped.run.kind)) return []
    const { turn, writer, run } = stopped
    stopped.fiber.interruptUnsafe()
    const unread = takeHanded(state, session.key)
    active.delete(session.key)
    session.activeRuns.delete(run.runId)
    session.abortedLastRun = true
    if (generation.storesEnds) {
      session.status = "killed"
      session.endedAt = now()
    }
    events.aborted(turn)
    const stored = writer.storeAborted()
    settle(state, run, { status: "aborted", text: turn.shown, error: "aborted" })
    later(() => {
      events.afterAbort(turn, stored)
      for (const queued of unread) endQuietly(state, queued)
      next(session)
    })
    return generation.storesEnds ? [...dropWaiting(state, session.key), run.runId] : [run.runId]
  }

  const lose = ({ run, turn, fiber }: Active): void => {
    fiber.interruptUnsafe()
    takeHanded(state, turn.session.key)
    active.delete(turn.session.key)
    turn.session.activeRuns.delete(run.runId)
    settle(state, run, { status: "aborted", text: "", error: "aborted" })
  }

  return {
    find: (runId) => state.runs.get(runId),
    running: (sessionKey) => active.get(sessionKey)?.run,
    start,
    abort,
    disturb: (session) => {
      const disturbed = active.get(session.key)
      if (disturbed === undefined || !generation.storesEnds) return
      disturbed.fiber.interruptUnsafe()
      finish(disturbed, { type: "failed", reason: "transcript" })
    },
    inject: (request, text) => {
      const run = remember(state, request)
      const turn = newTurn(request, now())
      const user = storeQuestion(state, request, turn)
      const stamp = { ...store.stamp(request.session), timestamp: now(), runId: request.runId }
      const message = gatewayNote(text, stamp)
      store.append(request.session, message)
      later(() => {
        events.injected(turn, user, message)
        settle(state, run, { status: "ok", text: "" })
      })
    },
    forget: (session) => {
      dropWaiting(state, session.key)
      abort(session, undefined)
    },
    stopAll: () => {
      for (const key of [...state.queues.keys()]) dropWaiting(state, key)
      for (const running of [...active.values()])
        if (generation.storesEnds) abort(running.turn.session, undefined)
        else lose(running)
    }
  }
}
