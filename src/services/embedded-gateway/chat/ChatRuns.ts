import { Deferred, Effect, type Fiber } from "effect"
import type { DemoAgent, DemoStep } from "../demo/steps.ts"
import type { Connection } from "../server/Connection.ts"
import { type AssistantMessage, gatewayNote, type StoredImage, type UserMessage } from "../sessions/messages.ts"
import type { SessionEvents } from "../sessions/SessionEvents.ts"
import { agentIdOf, modelOf, type Session, type SessionStore, thinkingOf } from "../sessions/SessionStore.ts"
import type { Generation } from "../wire/generations.ts"
import type { ExecApprovals } from "./ExecApprovals.ts"
import { spawnSubagent } from "./spawnSubagent.ts"
import type { Turn, TurnEvents, TurnOutcome } from "./TurnEvents.ts"
import { makeTurnWriter, type TurnWriter } from "./turnWriter.ts"

/** A question on its way to a session's agent. */
export interface TurnRequest {
  readonly runId: string
  readonly session: Session
  readonly kind: Turn["kind"]
  readonly text: string
  readonly images?: ReadonlyArray<StoredImage>
  readonly sender?: Connection | undefined
  /** Meant for the turn that runs, which reads it before it ends, instead of for a turn of its own. */
  readonly steers?: boolean
}

/** A run and its end. */
export interface Run {
  readonly runId: string
  readonly sessionKey: string
  readonly kind: Turn["kind"]
  readonly requestedAt: number
  readonly done: Deferred.Deferred<TurnOutcome>
  turn: Turn | undefined
  outcome: TurnOutcome | undefined
}

/** A question behind a running turn, and the id it was asked under. */
interface Waiting {
  readonly askedAs: string
  readonly request: TurnRequest
  readonly run: Run
}

interface Active {
  readonly run: Run
  readonly turn: Turn
  readonly writer: TurnWriter
  readonly fiber: Fiber.Fiber<void>
}

/** What the runs stand on; `fork` starts fibers that the gateway's scope owns. */
export interface ChatRunsOptions {
  readonly generation: Generation
  readonly store: SessionStore
  readonly sessions: SessionEvents
  readonly events: TurnEvents
  readonly now: () => number
  readonly newId: () => string
  readonly tokenMs: number
  readonly agent: DemoAgent
  readonly approvals: ExecApprovals
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

const MAX_RUNS = 500

/** Runs one turn per session at a time; further questions wait. */
export class ChatRuns {
  readonly options: ChatRunsOptions
  private readonly runs = new Map<string, Run>()
  private readonly active = new Map<string, Active>()
  private readonly steered = new Map<string, ReadonlyArray<TurnRequest>>()
  private readonly waiting = new Map<string, ReadonlyArray<Waiting>>()

  constructor(options: ChatRunsOptions) {
    this.options = options
  }

  /** A run that was started here, while it is remembered. */
  find(runId: string): Run | undefined {
    return this.runs.get(runId)
  }

  /** The run a session is busy with. */
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
    if (request.steers === true && this.options.generation === "new") return this.steer(request, run)
    const renamed = { ...request, runId: this.options.newId() }
    this.enqueue({ askedAs: request.runId, request: renamed, run: this.remember(renamed) })
    const turn = this.makeTurn(request)
    this.later(() => {
      this.options.events.queued(turn)
      this.settle(run, { status: "ok", text: "", endedAt: this.options.now() })
    })
    return run
  }

  /** Hands a message to the running turn: its own run ends at once with nothing to show. */
  private steer(request: TurnRequest, run: Run): Run {
    const { key } = request.session
    this.steered.set(key, [...(this.steered.get(key) ?? []), request])
    this.later(() => {
      this.options.events.queued(this.makeTurn(request))
      this.settle(run, { status: "ok", text: "", endedAt: this.options.now() })
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
      this.next(session)
    })
    return generation === "old" ? [run.runId] : [...this.drop(session.key), run.runId]
  }

  /** Ends a run that never ran: a command's answer takes the place of a turn. */
  inject(request: TurnRequest, text: string): void {
    const run = this.remember(request)
    const turn = this.makeTurn(request)
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

  /** Drops everything a session still has to do. */
  forget(session: Session): void {
    this.drop(session.key)
    this.abort(session, undefined)
  }

  /** Ends all turns, as a process that stops does. */
  stopAll(): void {
    for (const key of [...this.waiting.keys()]) this.drop(key)
    for (const { turn } of [...this.active.values()]) this.abort(turn.session, undefined)
  }

  private enqueue(waiting: Waiting): void {
    const { key } = waiting.request.session
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), waiting])
  }

  /** Forgets what waits in a session; answers the ids it was asked under. */
  private drop(key: string): ReadonlyArray<string> {
    const dropped = this.waiting.get(key) ?? []
    this.waiting.delete(key)
    for (const { run } of dropped)
      this.settle(run, { status: "aborted", text: "", error: "aborted", endedAt: this.options.now() })
    return dropped.map(({ askedAs }) => askedAs)
  }

  /** Does something once the request that led to it has been answered. */
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

  private makeTurn(request: TurnRequest): Turn {
    return {
      runId: request.runId,
      session: request.session,
      kind: request.kind,
      requestedAt: this.options.now(),
      sender: request.sender,
      startedAt: this.options.now(),
      seq: 0,
      shown: "",
      part: "",
      partNumber: 0,
      lastDelta: "",
      usedTools: false
    }
  }

  private begin(request: TurnRequest, run: Run): void {
    const { session } = request
    const turn = this.makeTurn(request)
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
      // The newer generation keeps the news of a finished sub-agent out of the transcript.
      const silent = source === "announce" && this.options.generation === "new"
      const user = silent ? undefined : this.storeQuestion(request, turn, source)
      events.started(turn, user)
      events.modelStarted(turn)
      const steps = this.options.agent({
        text: request.text,
        images: request.images ?? [],
        model: modelOf(session).name,
        thinkingLevel: thinkingOf(session),
        ...(source === undefined ? {} : { source })
      })
      for (const step of steps) {
        if (step.type === "fail") return this.fail(run, turn, writer)
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
      const requests = this.steered.get(turn.session.key) ?? []
      this.steered.delete(turn.session.key)
      for (const request of requests) {
        if (turn.shown !== "") writer.storeAnswer("toolUse")
        const user = this.storeQuestion(request, { ...turn, runId: request.runId }, undefined)
        this.options.sessions.message(turn.session, user, request.runId)
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
        return writer.say(step)
      case "hang":
        return Effect.never
      case "spawn":
        return spawnSubagent(this, turn, writer, step)
      case "approve":
        return this.askFirst(step, turn, writer)
      case "tool": {
        const id = `call_${newId().slice(0, 8)}`
        const call = { id, name: step.name, args: step.args, meta: step.meta, startedAt: now() }
        const result = { text: step.result, details: step.details ?? {}, isError: step.isError ?? false }
        return writer.callTool(call, Effect.succeed(result), step.runMs)
      }
    }
  }

  /** A command that waits for a person: its tool call is open until the answer. */
  private readonly askFirst = Effect.fnUntraced(
    { self: this },
    function* (this: ChatRuns, step: Extract<DemoStep, { type: "approve" }>, turn: Turn, writer: TurnWriter) {
      const { approvals, newId, now } = this.options
      const { command, meta } = step
      const call = { id: `call_${newId().slice(0, 8)}`, name: "exec", args: { command }, meta, startedAt: now() }
      const { key } = turn.session
      let isAllowed = false
      const result = Effect.gen(function* () {
        const decision = yield* approvals.ask({ command, cwd: "workspace", sessionKey: key, agentId: agentIdOf(key) })
        isAllowed = decision !== "deny"
        return isAllowed
          ? { text: step.result, details: { status: "completed", exitCode: 0 }, isError: false }
          : { text: "The person did not allow this command.", details: { status: "denied" }, isError: true }
      })
      yield* writer.callTool(call, result, step.runMs)
      yield* writer.say({ type: "text", text: isAllowed ? step.allowed : step.denied })
    }
  )

  private finish(run: Run, turn: Turn, message: AssistantMessage): void {
    this.close(run, turn, "done")
    this.options.events.finished(turn, message)
    this.settle(run, { status: "ok", text: turn.shown, endedAt: this.options.now() })
    this.next(turn.session)
  }

  private fail(run: Run, turn: Turn, writer: TurnWriter): void {
    const error =
      this.options.generation === "old"
        ? "HTTP 400: the demo was asked to fail"
        : "LLM request failed: the demo was asked to fail."
    this.close(run, turn, "failed")
    turn.session.lastRunError = error
    this.options.events.failed(turn, writer.storeFailure(error), error)
    this.settle(run, { status: "error", text: turn.shown, error, endedAt: this.options.now() })
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

  private settle(run: Run, outcome: TurnOutcome): void {
    run.outcome = outcome
    Deferred.doneUnsafe(run.done, Effect.succeed(outcome))
  }

  private next(session: Session): void {
    // What was handed to a turn too late gets a turn of its own.
    for (const late of this.steered.get(session.key) ?? []) {
      const request = { ...late, runId: this.options.newId() }
      this.enqueue({ askedAs: late.runId, request, run: this.remember(request) })
    }
    this.steered.delete(session.key)
    const [first, ...rest] = this.waiting.get(session.key) ?? []
    if (first === undefined || this.active.has(session.key)) return
    this.waiting.set(session.key, rest)
    this.begin(first.request, first.run)
  }
}
