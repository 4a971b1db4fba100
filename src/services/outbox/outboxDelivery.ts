import { Clock, Effect, FiberMap, FiberSet, Queue, Result, Schedule } from "effect"
import { clearsSession, isCommand } from "../../contract/commands.ts"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import type { FeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { ResponseEnd } from "../gateway/feed/feedMessage.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import type { OutboxLedger } from "./OutboxLedger.ts"
import { outboxGateway } from "./outboxGateway.ts"
import type { StoredMessage } from "./outboxMessage.ts"
import { arrivalOf, fateOf, nextStep, standsThere } from "./outboxRules.ts"
import {
  attachmentsOf,
  busySessions,
  endMessage,
  findMessage,
  messagesIn,
  messagesOf,
  nextTime,
  queueOf,
  saveMessage
} from "./outboxStore.ts"
import { RunningSessions } from "./RunningSessions.ts"

/** A clock that was set, and a response whose end nobody told, are noticed after this time. */
const LOOK_EVERY_MS = 30_000
/** A store or gateway that failed is tried again after this time. */
const AGAIN = "5 seconds"
/** The history may lag behind the end of a response. */
const SETTLE = "3 seconds"
/** Why somebody stopped a response is told a moment later: they may have cleared the session. */
const REASON = "500 millis"
/** A stopped response ends at once; the gateway is asked again if it doesn't. */
const STOPPING = "10 seconds"

/** Stands for a run while the reason for a stop may still be told. */
const PAUSE = "pause"

const UNSURE = failure("DELIVERY_UNKNOWN")
export const AFTER_FAILURE = failure("NOT_SENT_AFTER_FAILURE")
const DELETED = failure("NOT_SENT_SESSION_DELETED")
const CLEARED = failure("NOT_SENT_SESSION_CLEARED")
export const FORGOTTEN = failure("MESSAGE_LOST")

/** Whether the end of a run says that its message was read: one without words may end a message that nobody has read. */
const saysRead = ({ message, state }: ResponseEnd): boolean => state === "error" || message !== undefined

/** Given back because the gateway seemed not to have it; that may turn out otherwise. */
const isForgotten = ({ error, state }: StoredMessage): boolean =>
  state === "failed" && error?.message === FORGOTTEN.message

/** The gateway may have it: the connection broke, or it didn't answer in time. */
const mayHaveArrived = ({ reason }: GatewayError): boolean =>
  reason === "unreachable" || reason === "timeout" || reason === "shape"

interface DeliveryOptions {
  readonly gateway: GatewayClientShape
  readonly gatewayId: string
  readonly ledger: OutboxLedger
}

/** Hands messages over, one at a time in each session, and follows what becomes of them. */
export const makeDelivery = Effect.fnUntraced(function* ({ gateway, gatewayId, ledger }: DeliveryOptions) {
  const calls = outboxGateway(gateway)
  const running = new RunningSessions()
  const deliveries = yield* FiberSet.make()
  const checks = yield* FiberMap.make<string>()
  const settling = yield* FiberMap.make<string>()
  const pauses = yield* FiberMap.make<string>()
  /** The runs of commands that clear their session: what waits behind one is meant for afterwards. */
  const clearing = new Map<string, string>()
  /** Sessions in which a message of this console stops the response. */
  const stopping = new Set<string>()
  /** Runs that ended before the gateway answered that it has their message, which was read. */
  const read = new Set<string>()
  /** Sessions in which a message is on its way. */
  const atWork = new Set<string>()
  const wakes = yield* Queue.sliding<void>(1)
  const wake = Effect.asVoid(Queue.offer(wakes, undefined))
  /** Sessions in which something may have to be done. */
  const due = new Set<string>()

  const look = (sessionKey: string) =>
    Effect.suspend(() => {
      due.add(sessionKey)
      return wake
    })

  /** Changes a message unless it has changed otherwise meanwhile. */
  const settle = (message: StoredMessage, change: Partial<StoredMessage> | "done") =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* ledger.change((db) => {
        const found = findMessage(db, message.id)
        if (found?.state !== message.state) return Result.succeed([])
        if (change === "done") endMessage(db, message.id, now)
        else saveMessage(db, { ...found, ...change })
        return Result.succeed([message])
      })
    }).pipe(
      Effect.tapError(({ message: why }) => Effect.logWarning(`Couldn't store what happened to a message: ${why}`)),
      Effect.retry(Schedule.spaced(AGAIN)),
      Effect.orDie,
      Effect.andThen(look(message.sessionKey))
    )

  /** The gateway tells more in the meantime, also while the store fails. */
  const settleSoon = (message: StoredMessage) => FiberMap.run(settling, message.id, settle(message, "done"))

  /** Finds out what became of a message whose answer was lost, and goes on from there. */
  const decide = (message: StoredMessage): Effect.Effect<void> =>
    Effect.gen(function* () {
      if ((yield* gateway.connection) === undefined) return
      const evidence = yield* calls.evidence(message.sessionKey, message.sentAt ?? 0)
      const fate = fateOf(message, evidence, yield* Clock.currentTimeMillis)
      if (fate === "handed") yield* settle(message, { state: "handed" })
      if (fate === "again") yield* settle(message, { state: "waiting" })
      if (fate === "unsure") yield* settle(message, { state: "unsure", error: UNSURE })
    }).pipe(
      Effect.tapError(({ message: why }) => Effect.logWarning(`Couldn't look up a message at the gateway: ${why}`)),
      Effect.retry({ schedule: Schedule.spaced(AGAIN), while: (error) => !mayHaveArrived(error) }),
      // The next connection asks again.
      Effect.ignore
    )

  const send = Effect.fnUntraced(function* (id: string, steer: boolean) {
    const gatewayStartedAt = yield* gateway.gatewayStartedAt
    const sentAt = yield* Clock.currentTimeMillis
    const taken = yield* ledger.change((db) => {
      const found = findMessage(db, id)
      if (found?.state !== "waiting") return Result.succeed([])
      const message: StoredMessage = { ...found, state: "sending", error: undefined, sentAt, gatewayStartedAt }
      saveMessage(db, message)
      return Result.succeed([{ ...message, attachments: attachmentsOf(db, id) }])
    })
    const message = taken[0]
    if (message === undefined) return
    const { runId, sessionKey } = message
    // The end of a short response may be told before the answer to its request.
    running.begin(sessionKey, runId)
    if (clearsSession(message.text)) clearing.set(sessionKey, runId)
    const answer = yield* Effect.result(calls.send(message, message.attachments, steer))
    if (Result.isSuccess(answer)) {
      if (answer.success) running.end(runId, sessionKey)
      const isOver = !running.isRunning(runId)
      const isRead = read.delete(runId) || isCommand(message.text, message.attachments.length)
      yield* settle(message, isOver && isRead ? "done" : { state: "handed" })
      // Handed to a response that was stopped before it read it, it's nowhere.
      if (isOver && !isRead) yield* checkSoon(sessionKey)
      return
    }
    read.delete(runId)
    running.end(runId, sessionKey)
    if (mayHaveArrived(answer.failure)) return yield* decide(message)
    if (answer.failure.code === "UNAVAILABLE") {
      yield* settle(message, { state: "waiting", sentAt: undefined })
      return yield* Effect.sleep(AGAIN)
    }
    // The gateway remembers its answer by the run's id: another attempt gets another one.
    yield* settle(message, { state: "failed", error: answer.failure })
  })

  /** Stops the running response. Where nothing runs after all, the session is free. */
  const stop = (sessionKey: string) =>
    Effect.gen(function* () {
      stopping.add(sessionKey)
      const isStopping = yield* calls.stop(sessionKey)
      if (!isStopping) return running.clear(sessionKey)
      yield* Effect.sleep("50 millis").pipe(
        Effect.repeat({ while: () => running.isBusy(sessionKey) }),
        Effect.timeoutOption(STOPPING)
      )
    }).pipe(Effect.ensuring(Effect.sync(() => stopping.delete(sessionKey))))

  /** Sends nothing until the reason for a stop was told. */
  const pause = (sessionKey: string) => {
    running.begin(sessionKey, PAUSE)
    const over = Effect.suspend(() => {
      running.end(PAUSE, sessionKey)
      return look(sessionKey)
    })
    return FiberMap.run(pauses, sessionKey, Effect.andThen(Effect.sleep(REASON), over))
  }

  /** Does what is to be done in a session now, until there's nothing more. */
  const work = (sessionKey: string): Effect.Effect<void, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const connection = yield* gateway.connection
      if (connection === undefined) return
      const queue = yield* ledger.read((db) => queueOf(db, { gatewayId, sessionKey }))
      const now = yield* Clock.currentTimeMillis
      const isBusy = running.isBusy(sessionKey)
      const step = nextStep(queue, { isBusy, now, protocol: connection.protocol })
      if (step.type === "wait") return
      if (step.type === "stop") yield* stop(sessionKey)
      else yield* send(step.id, step.steer)
      yield* work(sessionKey)
    })

  /** Does something in a session alone. */
  const alone = (sessionKey: string, effect: Effect.Effect<void>) => {
    atWork.add(sessionKey)
    const over = Effect.suspend(() => {
      atWork.delete(sessionKey)
      return wake
    })
    return FiberSet.run(deliveries, Effect.ensuring(effect, over))
  }

  const start = (sessionKey: string) =>
    alone(
      sessionKey,
      Effect.catch(work(sessionKey), ({ message }) =>
        Effect.andThen(Effect.logWarning(`Couldn't send a message: ${message}`), Effect.sleep(AGAIN))
      )
    )

  /**
   * Removes messages that stand in the history, also those that were given back, and gives back those that the gateway
   * no longer has.
   */
  const check = Effect.fnUntraced(function* (sessionKey: string) {
    yield* Effect.sleep(SETTLE)
    const all = yield* ledger.read((db) => messagesOf(db, { gatewayId, sessionKey }))
    const handed = all.filter(({ state, runId }) => state === "handed" && !running.isRunning(runId))
    const forgotten = all.filter(isForgotten)
    if (handed.length === 0 && forgotten.length === 0) return
    const since = Math.min(...[...handed, ...forgotten].map(({ sentAt = 0 }) => sentAt))
    const evidence = yield* calls.evidence(sessionKey, since)
    for (const message of forgotten) if (standsThere(message, evidence)) yield* settle(message, "done")
    for (const message of handed) {
      const arrival = arrivalOf(message, evidence, running.isBusy(sessionKey))
      if (arrival === "arrived") yield* settle(message, "done")
      if (arrival === "gone") yield* settle(message, { state: "failed", error: FORGOTTEN })
    }
  })

  const checkSoon = (sessionKey: string) =>
    FiberMap.run(checks, sessionKey, Effect.ignore(check(sessionKey), { log: "Warn" }))

  /** Asks which sessions really have a response running: of those in which something waits, and of `others`. */
  const askRunning = Effect.fnUntraced(function* (others: ReadonlyArray<string>) {
    const busy = yield* ledger.read((db) => busySessions(db, gatewayId))
    for (const key of busy) due.add(key)
    const wanted = new Set([...busy, ...others])
    if (wanted.size === 0) return
    const askedAt = running.now
    running.take(yield* calls.running(wanted), wanted, askedAt)
  })

  /** Looks up what is on its way: the answer, the end or the connection's news of it may have been missed. */
  const refresh = Effect.fnUntraced(function* (others: ReadonlyArray<string> = []) {
    if ((yield* gateway.connection) === undefined) return
    yield* Effect.ignore(askRunning(others), { log: "Warn" })
    const { sending, handed } = yield* ledger.read((db) => ({
      sending: messagesIn(db, gatewayId, "sending"),
      handed: messagesIn(db, gatewayId, "handed")
    }))
    for (const message of sending) {
      if (!atWork.has(message.sessionKey)) yield* alone(message.sessionKey, decide(message))
    }
    for (const { sessionKey } of handed) yield* checkSoon(sessionKey)
  })

  const pump = Effect.gen(function* () {
    const keys = [...due]
    due.clear()
    for (const key of keys) {
      // One that is at work looks by itself when it's done; what came in since may have passed it by.
      if (atWork.has(key)) due.add(key)
      else yield* start(key)
    }
    const now = yield* Clock.currentTimeMillis
    const next = yield* ledger.read((db) => nextTime(db, gatewayId, now))
    const pause = Math.min(LOOK_EVERY_MS, next === undefined ? LOOK_EVERY_MS : Math.max(next - now, 1))
    const woken = yield* Effect.timeoutOption(Queue.take(wakes), pause)
    if (woken._tag === "None") yield* refresh()
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.andThen(Effect.logWarning(`Couldn't check the waiting messages: ${message}`), Effect.sleep(AGAIN))
    )
  )

  /** Messages that wait in a session come back to the person. */
  const giveBack = (sessionKey: string, why: Failure, isMeant: (message: StoredMessage) => boolean = () => true) =>
    ledger
      .change((db) => {
        const all = messagesOf(db, { gatewayId, sessionKey }).filter(
          (message) => message.state === "waiting" && isMeant(message)
        )
        for (const message of all) saveMessage(db, { ...message, state: "failed", error: why })
        return Result.succeed(all)
      })
      .pipe(Effect.ignore({ log: "Warn" }))

  const hearEnd = Effect.fnUntraced(
    function* (end: ResponseEnd) {
      const sessionKey = running.end(end.runId, end.sessionKey)
      if (sessionKey === undefined) return
      if (clearing.get(sessionKey) === end.runId) clearing.delete(sessionKey)
      const all = yield* ledger.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      if (saysRead(end) && all.some(({ runId, state }) => runId === end.runId && state === "sending"))
        read.add(end.runId)
      const handed = all.filter((message) => message.state === "handed" || isForgotten(message))
      const own = handed.find(({ runId }) => runId === end.runId)
      // Without words, the message waits for another response to read it, or was dropped with one that was stopped.
      const isRead = own !== undefined && (saysRead(end) || isCommand(own.text, 0))
      if (isRead) yield* settleSoon(own)
      if (handed.some((message) => message !== own || !isRead)) yield* checkSoon(sessionKey)
      if (own !== undefined && end.state === "error") {
        const now = yield* Clock.currentTimeMillis
        // What is planned for later isn't about this response, and what was on its way already may have been read.
        yield* giveBack(
          sessionKey,
          AFTER_FAILURE,
          ({ notBefore = 0, sentAt }) => notBefore <= now && sentAt === undefined
        )
      }
      if (end.state === "aborted" && !stopping.has(sessionKey)) yield* pause(sessionKey)
      yield* look(sessionKey)
    },
    Effect.ignore({ log: "Warn" })
  )

  const hearSaid = Effect.fnUntraced(
    function* (sessionKey: string, runId: string) {
      const all = yield* ledger.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      const own = all.find((message) => message.runId === runId && (message.state === "handed" || isForgotten(message)))
      if (own !== undefined) yield* settleSoon(own)
    },
    Effect.ignore({ log: "Warn" })
  )

  const hearChange = Effect.fnUntraced(
    function* (sessionKey: string, why: Failure) {
      const all = yield* ledger.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      if (all.length > 0 && !clearing.has(sessionKey)) yield* giveBack(sessionKey, why)
    },
    Effect.ignore({ log: "Warn" })
  )

  /** After a new connection: the ends of responses may have been missed, and the next message would wait for them. */
  const linked = Effect.suspend(() => refresh(running.sessions)).pipe(
    Effect.andThen(ledger.read((db) => messagesIn(db, gatewayId, "failed"))),
    Effect.flatMap((failed) =>
      Effect.forEach(new Set(failed.filter(isForgotten).map(({ sessionKey }) => sessionKey)), checkSoon, {
        discard: true
      })
    ),
    Effect.ignore({ log: "Warn" }),
    Effect.andThen(wake)
  )

  const hear = (event: FeedEvent): Effect.Effect<void> => {
    switch (event._tag) {
      case "Linked":
        return linked
      case "ResponseBegan":
        return Effect.sync(() => running.begin(event.sessionKey, event.runId))
      case "ResponseEnded":
        return hearEnd(event.end)
      case "Said": {
        const { message, sessionKey } = event.said
        const own = message.idempotencyKey?.replace(/:user$/, "")
        return message.role === "user" && own !== undefined ? hearSaid(sessionKey, own) : Effect.void
      }
      case "SessionChanged":
        if (event.isDeleted) return hearChange(event.sessionKey, DELETED)
        return event.isCleared ? hearChange(event.sessionKey, CLEARED) : Effect.void
      default:
        return Effect.void
    }
  }

  return { hear, look, pump: Effect.forever(pump) }
})
