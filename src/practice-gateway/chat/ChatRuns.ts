import type { Fiber } from "effect"
import { Deferred, Effect, Result } from "effect"
import type { DemoStep } from "../demo/steps.ts"
import type { AssistantMessage, UserMessage } from "../sessions/messages.ts"
import { gatewayNote } from "../sessions/messages.ts"
import type { Session } from "../sessions/SessionStore.ts"
import { modelOf, thinkingOf } from "../sessions/SessionStore.ts"
import type { AgentQuestions } from "./AgentQuestions.ts"
import { FAILURES, type FailReason } from "./failures.ts"
import { newTurn } from "./newTurn.ts"
import type { ChatRunsOptions, Run, TurnRequest } from "./runTypes.ts"
import { spawnSubagent } from "./spawnSubagent.ts"
import type { Turn, TurnOutcome } from "./TurnEvents.ts"
import type { TurnWriter } from "./turnWriter.ts"
import { makeTurnWriter } from "./turnWriter.ts"
import { approveFirst, askPerson } from "./waitForPerson.ts"

/** A question queued behind a running turn, with its run id. */
interface Waiting {
  readonly askedAs: string
  readonly request: TurnRequest
  readonly run: Run
}

/** A message for the running turn, and the run it was sent as. */
interface Steering {
  readonly request: TurnRequest
  readonly run: Run
}

interface Active {
  readonly run: Run
  readonly turn: Turn
  readonly writer: TurnWriter
  readonly fiber: Fiber.Fiber<void>
}

const MAX_RUNS = 500
/** Size of the older generation's context, in characters. */
const MAX_PROMPT = 500_000
/** Retries of the older generation after a rate limit, and the pause before each. */
const RETRIES = 2
const RETRY_MS = 200

/** Runs one turn per session at a time; further messages wait. */
export class ChatRuns {
  readonly options: ChatRunsOptions
  private readonly runs = new Map<string, Run>()
  private readonly active = new Map<string, Active>()
  private readonly steered = new Map<string, ReadonlyArray<Steering>>()
  private readonly waiting = new Map<string, ReadonlyArray<Waiting>>()

  constructor(options: ChatRunsOptions) {
    this.options = options
  }

  /** A run that was started here and is still remembered. */
  find(runId: string): Run | undefined {
    return this.runs.get(runId)
  }

  /** A session's active run. */
  running(sessionKey: string): Run | undefined {
    return this.active.get(sessionKey)?.run
  }

  /**
   * Takes a question: it runs at once, or waits behind the session's running turn. The run of a chat message that
   * waits ends at once with nothing to show, and its answer comes under a run id of its own.
   */
  start(request: TurnRequest): Run {
    const run = this.remember(request)
    if (!this.active.has(request.session.key)) {
      this.begin(request, run)
      return run
    }
    if (request.kind !== "chat") {
      this.enqueue({ askedAs: request.runId, request, run })
      return run
    }
    const claimed = this.options.questions.claim(request.session.key, request.text)
    if (claimed !== undefined) return this.answer(request, run, claimed)
    if (request.steers === true && this.options.generation === "new") {
      this.steered.set(request.session.key, [...(this.steered.get(request.session.key) ?? []), { request, run }])
      return run
    }
    const renamed = { ...request, runId: this.options.newId() }
    this.enqueue({ askedAs: request.runId, request: renamed, run: this.remember(renamed) })
    this.later(() => this.endQuietly({ request, run }))
    return run
  }

  /** A message that answers the running turn's question, or doesn't: its own run ends at once, empty or with the reason. */
  private answer(request: TurnRequest, run: Run, claimed: NonNullable<ReturnType<AgentQuestions["claim"]>>): Run {
    const { events, now, sessions } = this.options
    const turn = newTurn(request, this.options.now())
    const refusal = Result.isFailure(claimed) ? claimed.failure.message : undefined
    const user = this.storeQuestion(request, turn, undefined)
    this.later(() => {
      sessions.message(request.session, user, request.runId)
      if (refusal === undefined) events.queued(turn)
      else events.unaccepted(turn, `The answer was not accepted: ${refusal}. The question is still open.`)
      this.settle(run, { status: refusal === undefined ? "ok" : "error", text: "", endedAt: now() })
    })
    return run
  }

  /**
   * Ends the running turn of a session; returns the ids of the runs that ended. The newer generation drops what
   * waits behind it too, the older one goes on with that.
   */
  abort(session: Session, runId: string | undefined, kinds?: ReadonlyArray<Turn["kind"]>): ReadonlyArray<string> {
    const active = this.active.get(session.key)
    if (active === undefined || (runId !== undefined && active.run.runId !== runId)) return []
    if (kinds !== undefined && !kinds.includes(active.run.kind)) return []
    const { generation, now, events } = this.options
    const { turn, writer, run } = active
    active.fiber.interruptUnsafe()
    const unread = this.steered.get(session.key) ?? []
    this.steered.delete(session.key)
    this.active.delete(session.key)
    session.activeRuns.delete(run.runId)
    session.abortedLastRun = true
    if (generation === "new") {
      session.status = "killed"
      session.endedAt = now()
    }
    events.aborted(turn)
    const stored = writer.storeAborted()
    this.settle(run, { status: "aborted", text: turn.shown, error: "aborted", endedAt: now() })
    this.later(() => {
      events.afterAbort(turn, stored)
      for (const handed of unread) this.endQuietly(handed)
      this.next(session)
    })
    return generation === "old" ? [run.runId] : [...this.drop(session.key), run.runId]
  }

  /** A command wrote into the transcript: the newer generation fails the turn that is running, the older one goes on. */
  disturb(session: Session): void {
    const active = this.active.get(session.key)
    if (active === undefined || this.options.generation === "old") return
    active.fiber.interruptUnsafe()
    this.fail(active.run, active.turn, active.writer, "transcript")
  }

  /** Ends a run that never started, because a command's answer replaced its turn. */
  inject(request: TurnRequest, text: string): void {
    const run = this.remember(request)
    const turn = newTurn(request, this.options.now())
    const user = this.storeQuestion(request, turn, undefined)
    const message = gatewayNote(text, {
      ...this.options.store.stamp(request.session),
      timestamp: this.options.now(),
      runId: request.runId
    })
    this.options.store.append(request.session, message)
    this.later(() => {
      this.options.events.injected(turn, user, message)
      this.settle(run, { status: "ok", text: "", endedAt: this.options.now() })
    })
  }

  /** Drops everything a session has queued. */
  forget(session: Session): void {
    this.drop(session.key)
    this.abort(session, undefined)
  }

  /** Ends all turns, as a stopping process does. The older generation stores nothing, so its rows stay running. */
  stopAll(): void {
    for (const key of [...this.waiting.keys()]) this.drop(key)
    for (const active of [...this.active.values()])
      if (this.options.generation === "new") this.abort(active.turn.session, undefined)
      else this.lose(active)
  }

  private lose({ run, turn, fiber }: Active): void {
    fiber.interruptUnsafe()
    this.steered.delete(turn.session.key)
    this.active.delete(turn.session.key)
    turn.session.activeRuns.delete(run.runId)
    this.settle(run, { status: "aborted", text: "", error: "aborted", endedAt: this.options.now() })
  }

  private enqueue(waiting: Waiting): void {
    const { key } = waiting.request.session
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), waiting])
  }

  /** Drops a session's queue and returns the run ids. */
  private drop(key: string): ReadonlyArray<string> {
    const dropped = this.waiting.get(key) ?? []
    this.waiting.delete(key)
    for (const { run } of dropped)
      this.settle(run, { status: "aborted", text: "", error: "aborted", endedAt: this.options.now() })
    return dropped.map(({ askedAs }) => askedAs)
  }

  /** Does something after the response to the current request. */
  private later(task: () => void): void {
    this.options.fork(Effect.yieldNow.pipe(Effect.andThen(Effect.sync(task))))
  }

  private remember(request: TurnRequest): Run {
    const run: Run = {
      runId: request.runId,
      sessionKey: request.session.key,
      kind: request.kind,
      requestedAt: this.options.now(),
      done: Deferred.makeUnsafe(),
      turn: undefined,
      outcome: undefined
    }
    this.runs.set(run.runId, run)
    const oldest = this.runs.keys().next().value
    if (this.runs.size > MAX_RUNS && oldest !== undefined) this.runs.delete(oldest)
    return run
  }

  private begin(request: TurnRequest, run: Run): void {
    const { session } = request
    const turn = newTurn(request, this.options.now())
    run.turn = turn
    const writer = makeTurnWriter(turn, this.options)
    session.activeRuns.add(run.runId)
    session.status = "running"
    session.abortedLastRun = false
    const fiber = this.options.fork(Effect.yieldNow.pipe(Effect.andThen(this.perform(request, run, turn, writer))))
    this.active.set(session.key, { run, turn, writer, fiber })
  }

  private readonly perform = Effect.fnUntraced(
    { self: this },
    function* (this: ChatRuns, request: TurnRequest, run: Run, turn: Turn, writer: TurnWriter) {
      const { events, now } = this.options
      const { session } = request
      turn.startedAt = now()
      session.startedAt = turn.startedAt
      session.endedAt = undefined
      session.systemSent = true
      session.updatedAt = turn.startedAt
      const source = request.kind === "chat" || request.kind === "agent" ? undefined : request.kind
      // The newer generation doesn't put a sub-agent's completion into the transcript.
      const silent = source === "announce" && this.options.generation === "new"
      const user = silent ? undefined : this.storeQuestion(request, turn, source)
      events.started(turn, user)
      if (this.options.generation === "old" && request.text.length > MAX_PROMPT) return this.overflow(run, turn)
      events.modelStarted(turn)
      const steps = this.options.agent({
        text: request.text,
        images: request.images ?? [],
        model: modelOf(session).name,
        thinkingLevel: thinkingOf(session),
        ...(source === undefined ? {} : { source })
      })
      for (const step of steps) {
        if (step.type === "fail") return this.fail(run, turn, writer, step.reason ?? "format")
        yield* this.play(step, turn, writer)
        yield* this.readSteered(turn, writer)
      }
      this.finish(run, turn, writer.storeAnswer("stop"))
    }
  )

  /** What was handed to the turn meanwhile comes into the transcript, and the agent says that it read it. */
  private readonly readSteered = Effect.fnUntraced(
    { self: this },
    function* (this: ChatRuns, turn: Turn, writer: TurnWriter) {
      const handed = this.steered.get(turn.session.key) ?? []
      this.steered.delete(turn.session.key)
      for (const { request, run } of handed) {
        if (turn.shown !== "") writer.storeAnswer("toolUse")
        const user = this.storeQuestion(request, { ...turn, runId: request.runId }, undefined)
        this.options.sessions.message(turn.session, user, request.runId)
        this.endQuietly({ request, run })
        yield* writer.say({ type: "text", text: `Noted while I work: “${request.text}”.` })
      }
    }
  )

  private storeQuestion(request: TurnRequest, turn: Turn, source: UserMessage["source"]): UserMessage {
    const { store } = this.options
    const user: UserMessage = {
      ...store.stamp(request.session),
      role: "user",
      text: request.text,
      images: request.images ?? [],
      timestamp: turn.requestedAt,
      runId: turn.runId,
      ...(source === undefined ? {} : { source })
    }
    store.append(request.session, user)
    return user
  }

  private play(step: Exclude<DemoStep, { type: "fail" }>, turn: Turn, writer: TurnWriter): Effect.Effect<void> {
    const { newId, now } = this.options
    switch (step.type) {
      case "thinking":
        return writer.think(step.text)
      case "text":
      case "media":
        return writer.say(step)
      case "hang":
        return Effect.never
      case "spawn":
        return spawnSubagent(this, turn, writer, step)
      case "approve":
        return approveFirst(this.options, step, turn, writer)
      case "ask":
        return askPerson(this.options, step, turn, writer)
      case "tool": {
        const { args, details = {}, isError = false, meta, name, result, runMs, work = Effect.succeed(result) } = step
        const call = { id: `call_${newId().slice(0, 8)}`, name, args, meta, startedAt: now() }
        const outcome = Effect.map(work, (text) => ({ text, details, isError }))
        return writer.callTool(call, outcome, { runMs, tellsMeanwhile: true })
      }
    }
  }

  private finish(run: Run, turn: Turn, message: AssistantMessage): void {
    this.close(run, turn, "done")
    this.options.events.finished(turn, message)
    this.settle(run, { status: "ok", text: turn.shown, endedAt: this.options.now() })
    this.next(turn.session)
  }

  private fail(run: Run, turn: Turn, writer: TurnWriter, reason: FailReason): void {
    const { told, stored } = FAILURES[reason][this.options.generation]
    this.close(run, turn, "failed")
    turn.session.lastRunError = told
    this.options.events.failed(turn, writer.storeFailure(stored), told, reason)
    this.settle(run, { status: "error", text: turn.shown, error: told, endedAt: this.options.now() })
    this.next(turn.session)
    if (reason === "rate_limit" && this.options.generation === "old") this.retryInVain(turn, writer, stored)
  }

  /** The older generation tries again on its own after the turn has failed, and keeps every failure. */
  private retryInVain(turn: Turn, writer: TurnWriter, error: string): void {
    const { fork, sessions, store } = this.options
    const retry = Effect.sync(() => {
      if (store.sessions.get(turn.session.key) !== turn.session) return
      sessions.message(turn.session, writer.storeFailure(error), turn.runId)
    })
    fork(Effect.repeat(Effect.delay(retry, RETRY_MS), { times: RETRIES - 1 }))
  }

  /** A message too large for the context: the session silently restarts without it. */
  private overflow(run: Run, turn: Turn): void {
    this.close(run, turn, "done")
    this.options.store.reset(turn.session, false)
    this.options.events.queued(turn)
    this.settle(run, { status: "ok", text: "", endedAt: this.options.now() })
    this.next(turn.session)
  }

  private close(run: Run, turn: Turn, status: "done" | "failed"): void {
    const { session } = turn
    this.active.delete(session.key)
    session.activeRuns.delete(run.runId)
    session.status = status
    session.endedAt = this.options.now()
    session.updatedAt = session.endedAt
    session.lastRunId = run.runId
    session.lastRunError = undefined
    session.unread = true
  }

  /** Ends a run of its own of a message that another turn took, with nothing to show. */
  private endQuietly({ request, run }: Steering): void {
    this.options.events.queued(newTurn(request, this.options.now()))
    this.settle(run, { status: "ok", text: "", endedAt: this.options.now() })
  }

  private settle(run: Run, outcome: TurnOutcome): void {
    run.outcome = outcome
    Deferred.doneUnsafe(run.done, Effect.succeed(outcome))
  }

  private next(session: Session): void {
    // Messages passed to a turn too late get their own turn.
    for (const { request, run } of this.steered.get(session.key) ?? [])
      this.enqueue({ askedAs: request.runId, request, run })
    this.steered.delete(session.key)
    const [first, ...rest] = this.waiting.get(session.key) ?? []
    if (first === undefined || this.active.has(session.key)) return
    this.waiting.set(session.key, rest)
    this.begin(first.request, first.run)
  }
}
