import { Clock, Effect, FiberMap, FiberSet, Queue, Result, Schedule } from "effect"
import { clearsSession, isCommand } from "../../contract/commands.ts"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { SessionActivity } from "../gateway/activity/SessionActivity.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import type { FeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { ResponseEnd } from "../gateway/feed/feedMessage.ts"
import { orWarn } from "../platform/orWarn.ts"
import type { StoreError } from "../platform/sqlite/Sqlite.ts"
import { beginSession } from "./beginSession.ts"
import type { MessageStore } from "./MessageStore.ts"
import { outboxGateway, senderId } from "./outboxGateway.ts"
import type { StoredMessage } from "./outboxMessage.ts"
import { arrivalOf, fateOf, hasMessage, nextStep } from "./outboxRules.ts"
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
} from "./outboxTable.ts"
import type { BeginSession } from "./SessionBeginnings.ts"

/** A changed clock and a response whose end was missed are noticed after this time. */
const CHECK_EVERY_MS = 30_000
/** The pause after a failure of the store or gateway. */
const AGAIN = "5 seconds"
/** The history may lag behind the end of a response. */
const SETTLE = "3 seconds"
/** The reason for a stopped response arrives a moment later: the session may have been cleared. */
const REASON = "500 millis"
/** A stopped response ends at once; the stop is repeated if it doesn't. */
const STOPPING = "10 seconds"

const UNSURE = failure("DELIVERY_UNKNOWN")
const AFTER_FAILURE = failure("NOT_SENT_AFTER_FAILURE")
const DELETED = failure("NOT_SENT_SESSION_DELETED")
const CLEARED = failure("NOT_SENT_SESSION_CLEARED")
export const LOST = failure("MESSAGE_LOST")

/** Whether the end of a run shows that its message was read; an end without text may be that of an unread message. */
const saysRead = ({ message, state }: ResponseEnd): boolean => state === "error" || message !== undefined

/** Whether a message failed because the gateway seemed not to have it; it may still appear in the history. */
const isLost = ({ error, state }: StoredMessage): boolean => state === "failed" && error?.message === LOST.message

/** Whether the gateway may have it: the connection broke, or it didn't answer in time. */
const mayHaveArrived = ({ reason }: GatewayError): boolean =>
  reason === "unreachable" || reason === "timeout" || reason === "shape"

interface DeliveryOptions {
  readonly activity: SessionActivity
  readonly begin: BeginSession
  readonly gateway: GatewayClientShape
  readonly gatewayId: string
  readonly store: MessageStore
}

/** Sends messages to the gateway, one at a time in each session, and follows them until they're read. */
export const makeDelivery = Effect.fnUntraced(function* ({
  activity,
  begin,
  gateway,
  gatewayId,
  store
}: DeliveryOptions) {
  const calls = outboxGateway(gateway, activity)
  const deliveries = yield* FiberSet.make()
  const checks = yield* FiberMap.make<string>()
  const settling = yield* FiberMap.make<string>()
  const pauses = yield* FiberMap.make<string>()
  /** The runs of commands that clear their session; messages behind one are meant for the cleared session. */
  const clearing = new Map<string, string>()
  /** Sessions whose response is being stopped by a message of this console. */
  const stopping = new Set<string>()
  /** Runs that read their message and ended before the gateway's answer to the request. */
  const read = new Set<string>()
  /** Sessions whose response was stopped a moment ago. */
  const paused = new Set<string>()
  const isBusy = (sessionKey: string) => activity.isBusy(sessionKey) || paused.has(sessionKey)
  /** Sessions in which a message is being sent. */
  const atWork = new Set<string>()
  const wakes = yield* Queue.sliding<void>(1)
  const wake = Effect.asVoid(Queue.offer(wakes, undefined))
  /** Sessions to check. */
  const due = new Set<string>()

  const look = (sessionKey: string) =>
    Effect.suspend(() => {
      due.add(sessionKey)
      return wake
    })

  /** Changes a message unless its state has changed meanwhile. */
  const settle = (message: StoredMessage, change: Partial<StoredMessage> | "done") =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* store.change((db) => {
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

  /** In the background, because more events follow, also while the store fails. */
  const finishSoon = (message: StoredMessage) => FiberMap.run(settling, message.id, settle(message, "done"))

  /** Looks up a message whose answer was lost and updates its state. */
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
      // Retried at the next connection.
      Effect.ignore
    )

  const send = Effect.fnUntraced(function* (id: string, steer: boolean) {
    if (!(yield* beginSession(store, begin, id))) return yield* Effect.sleep(AGAIN)
    const gatewayStartedAt = yield* gateway.gatewayStartedAt
    const sentAt = yield* Clock.currentTimeMillis
    const [message] = yield* store.change((db) => {
      const found = findMessage(db, id)
      if (found?.state !== "waiting" || store.heldBy(found) !== undefined) return Result.succeed([])
      const sending: StoredMessage = { ...found, state: "sending", error: undefined, sentAt, gatewayStartedAt }
      saveMessage(db, sending)
      return Result.succeed([{ ...sending, attachments: attachmentsOf(db, id) }])
    })
    if (message === undefined) return
    const { runId, sessionKey } = message
    // The event of a short response's end may arrive before the answer to its request.
    activity.began(sessionKey, runId)
    if (clearsSession(message.text)) clearing.set(sessionKey, runId)
    const answer = yield* Effect.result(calls.send(message, message.attachments, steer))
    if (Result.isSuccess(answer)) {
      if (answer.success) activity.ended(sessionKey, runId)
      const isOver = !activity.isRunning(runId)
      const isRead = read.delete(runId) || isCommand(message.text, message.attachments.length)
      yield* settle(message, isOver && isRead ? "done" : { state: "handed" })
      // Its end may have been heard while its state was stored.
      if (read.delete(runId)) yield* finishSoon({ ...message, state: "handed" })
      // A response that was stopped before reading it drops it.
      else if (isOver && !isRead) yield* checkSoon(sessionKey)
      return
    }
    read.delete(runId)
    activity.ended(sessionKey, runId)
    if (mayHaveArrived(answer.failure)) return yield* decide(message)
    if (answer.failure.code === "UNAVAILABLE") {
      yield* settle(message, { state: "waiting", sentAt: undefined })
      return yield* Effect.sleep(AGAIN)
    }
    // The gateway repeats its answer for the same run id, so another attempt needs a new one.
    yield* settle(message, { state: "failed", error: answer.failure })
  })

  /** Stops the running response; if there's none, the session is free. */
  const stop = (sessionKey: string) =>
    Effect.gen(function* () {
      stopping.add(sessionKey)
      const isStopping = yield* calls.stop(sessionKey)
      if (!isStopping) return activity.cleared(sessionKey)
      yield* Effect.sleep("50 millis").pipe(
        Effect.repeat({ while: () => isBusy(sessionKey) }),
        Effect.timeoutOption(STOPPING)
      )
    }).pipe(Effect.ensuring(Effect.sync(() => stopping.delete(sessionKey))))

  /** Sends nothing until the reason for a stop has arrived. */
  const pause = (sessionKey: string) => {
    paused.add(sessionKey)
    const over = Effect.suspend(() => {
      paused.delete(sessionKey)
      return look(sessionKey)
    })
    return FiberMap.run(pauses, sessionKey, Effect.andThen(Effect.sleep(REASON), over))
  }

  /** Performs the steps of a session until there's none left. */
  const work = (sessionKey: string): Effect.Effect<void, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const connection = yield* gateway.connection
      if (connection === undefined) return
      const isHeld = (id: string) => store.heldBy({ gatewayId, sessionKey, id }) !== undefined
      const all = yield* store.read((db) => queueOf(db, { gatewayId, sessionKey }))
      const queue = all.filter(({ id, state }) => state !== "waiting" || !isHeld(id))
      const now = yield* Clock.currentTimeMillis
      const step = nextStep(queue, { isBusy: isBusy(sessionKey), now, protocol: connection.protocol })
      if (step.type === "wait") return
      if (step.type === "stop") yield* stop(sessionKey)
      else yield* send(step.id, step.steer)
      yield* work(sessionKey)
    })

  /** Runs an effect exclusively in a session. */
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
   * Finishes messages that are in the history, including those that had failed as lost, and fails those that the gateway
   * no longer has.
   */
  const check = Effect.fnUntraced(function* (sessionKey: string) {
    yield* Effect.sleep(SETTLE)
    const all = yield* store.read((db) => messagesOf(db, { gatewayId, sessionKey }))
    const handed = all.filter(({ state, runId }) => state === "handed" && !activity.isRunning(runId))
    const forgotten = all.filter(isLost)
    if (handed.length === 0 && forgotten.length === 0) return
    const since = Math.min(...[...handed, ...forgotten].map(({ sentAt = 0 }) => sentAt))
    const evidence = yield* calls.evidence(sessionKey, since)
    for (const message of forgotten) if (hasMessage(message, evidence)) yield* settle(message, "done")
    for (const message of handed) {
      const arrival = arrivalOf(message, evidence, isBusy(sessionKey))
      if (arrival === "arrived") yield* settle(message, "done")
      if (arrival === "gone") yield* settle(message, { state: "failed", error: LOST })
    }
  })

  const checkSoon = (sessionKey: string) =>
    FiberMap.run(checks, sessionKey, check(sessionKey).pipe(orWarn("Couldn't look up messages at the gateway")))

  /** Requests which sessions have a running response: those with waiting messages, and `others`. */
  const askRunning = Effect.fnUntraced(function* (others: ReadonlyArray<string>) {
    const busy = yield* store.read((db) => busySessions(db, gatewayId))
    for (const key of busy) due.add(key)
    const wanted = new Set([...busy, ...others])
    if (wanted.size === 0) return
    yield* activity.ask(wanted)
  })

  /** Looks up messages being sent and handed over, whose answers and events may have been missed. */
  const refresh = Effect.fnUntraced(function* (others: ReadonlyArray<string> = []) {
    if ((yield* gateway.connection) === undefined) return
    yield* askRunning(others).pipe(orWarn("Couldn't read which sessions run"))
    const { sending, handed } = yield* store.read((db) => ({
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
      // A session at work checks again when it's done, and may have missed later messages.
      if (atWork.has(key)) due.add(key)
      else yield* start(key)
    }
    const now = yield* Clock.currentTimeMillis
    const next = yield* store.read((db) => nextTime(db, gatewayId, now))
    const pause = Math.min(CHECK_EVERY_MS, next === undefined ? CHECK_EVERY_MS : Math.max(next - now, 1))
    const woken = yield* Effect.timeoutOption(Queue.take(wakes), pause)
    if (woken._tag === "None") yield* refresh()
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.andThen(Effect.logWarning(`Couldn't check the waiting messages: ${message}`), Effect.sleep(AGAIN))
    )
  )

  /** Fails the waiting messages of a session, so that the person decides. */
  const failWaiting = (sessionKey: string, why: Failure, isMeant: (message: StoredMessage) => boolean = () => true) =>
    store
      .change((db) => {
        const all = messagesOf(db, { gatewayId, sessionKey }).filter(
          (message) => message.state === "waiting" && isMeant(message)
        )
        for (const message of all) saveMessage(db, { ...message, state: "failed", error: why })
        return Result.succeed(all)
      })
      .pipe(Effect.ignore({ log: "Warn" }))

  const onResponseEnd = Effect.fnUntraced(
    function* (end: ResponseEnd) {
      const sessionKey = end.sessionKey ?? activity.sessionOf(end.runId)
      if (sessionKey === undefined) return
      if (clearing.get(sessionKey) === end.runId) clearing.delete(sessionKey)
      const all = yield* store.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      if (saysRead(end) && all.some(({ runId, state }) => runId === end.runId && state === "sending"))
        read.add(end.runId)
      const handed = all.filter((message) => message.state === "handed" || isLost(message))
      const answered = handed.find(({ runId }) => runId === end.runId)
      // After an end without text, another response reads the message, or it was dropped with a stopped one.
      const isRead = answered !== undefined && (saysRead(end) || isCommand(answered.text, 0))
      if (isRead) yield* finishSoon(answered)
      if (handed.some((message) => message !== answered || !isRead)) yield* checkSoon(sessionKey)
      if (answered !== undefined && end.state === "error") {
        const now = yield* Clock.currentTimeMillis
        // Messages planned for later don't refer to this response, and those already sent may have been read.
        yield* failWaiting(
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

  const onMessage = Effect.fnUntraced(
    function* (sessionKey: string, runId: string) {
      const all = yield* store.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      const message = all.find((one) => one.runId === runId && (one.state === "handed" || isLost(one)))
      if (message !== undefined) yield* finishSoon(message)
    },
    Effect.ignore({ log: "Warn" })
  )

  const onSessionEnd = Effect.fnUntraced(
    function* (sessionKey: string, why: Failure) {
      const all = yield* store.read((db) => messagesOf(db, { gatewayId, sessionKey }))
      if (all.length > 0 && !clearing.has(sessionKey)) yield* failWaiting(sessionKey, why)
    },
    Effect.ignore({ log: "Warn" })
  )

  /** After a new connection: the ends of responses may have been missed, and messages would wait for them. */
  const linked = Effect.suspend(() => refresh(activity.busySessions())).pipe(
    Effect.andThen(store.read((db) => messagesIn(db, gatewayId, "failed"))),
    Effect.flatMap((failed) =>
      Effect.forEach(new Set(failed.filter(isLost).map(({ sessionKey }) => sessionKey)), checkSoon, {
        discard: true
      })
    ),
    Effect.ignore({ log: "Warn" }),
    Effect.andThen(wake)
  )

  const onEvent = (event: FeedEvent): Effect.Effect<void> => {
    switch (event._tag) {
      case "Linked":
        return linked
      case "ResponseEnded":
        return onResponseEnd(event.end)
      case "Said": {
        const { message, sessionKey } = event.said
        const runId = senderId(message.idempotencyKey)
        return message.role === "user" && runId !== undefined ? onMessage(sessionKey, runId) : Effect.void
      }
      case "SessionChanged":
        if (event.isDeleted) return onSessionEnd(event.sessionKey, DELETED)
        return event.isCleared ? onSessionEnd(event.sessionKey, CLEARED) : Effect.void
      default:
        return Effect.void
    }
  }

  return { onEvent, look, pump: Effect.forever(pump) }
})
