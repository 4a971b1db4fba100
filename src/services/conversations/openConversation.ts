import { Clock, Deferred, Effect, Fiber, FiberSet, Semaphore } from "effect"
import { type Failure, failureOf } from "../../contract/failure.ts"
import { conversationFailure } from "../../contract/failures/conversation.ts"
import { fieldsOf } from "../../contract/looseFields.ts"
import { keyParts } from "../../contract/qualifiedKey.ts"
import type { GatewayConnection } from "../gateway/client/GatewayClient.ts"
import { GatewayError } from "../gateway/client/GatewayError.ts"
import { timedOut } from "../gateway/client/gatewayFailures.ts"
import type { GatewayEvent } from "../gateway/client/gatewayFrames.ts"
import type { LinkedGateway } from "../gateway/registry/EveryGateway.ts"
import { abilitiesOf } from "../gateway/registry/liveEntry.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import { heldStep, sizeOf } from "./heldStep.ts"
import { decodeHistory } from "./history/chatHistory.ts"
import { makeHistoryReading } from "./historyReading.ts"
import { outboxMessageOf } from "./outboxMessages.ts"
import { makePublisher, type Viewer } from "./publisher.ts"
import { makeVersionReading, NO_VERSIONS } from "./readVersions.ts"
import { makeShownState } from "./shownState.ts"
import {
  type Asked,
  type Conversation,
  type ConversationEffect,
  type ConversationEvent,
  type GatewayAbilities,
  isRunning,
  newConversation,
  type ReadPlan,
  type Timer
} from "./turn/Conversation.ts"
import type { TurnEnd } from "./turn/chatItems.ts"

/** How long the first look waits for the history, and after how long without a connection it gives up on one. */
const FIRST_LOOK = "3 seconds"
const GIVE_UP = "10 seconds"

/** A turn that has ended, as those who look at the conversation hear of it. */
export interface EndedTurn {
  readonly runId: string
  readonly outcome: TurnEnd["outcome"]
  readonly last?: string
  readonly question?: string
  /** The tab that stopped it. */
  readonly stoppedBy?: string
}

/** Someone who looks at a conversation. */
export interface ConversationViewer {
  readonly published: Viewer
  readonly ended: (turn: EndedTurn) => void
}

/** The gateway's answer to a stop. */
export interface Stopping {
  readonly stopped: (runIds: ReadonlyArray<string>) => void
  /** It has stopped nothing; if it said that nothing runs, that counts more than its list. */
  readonly notStopped: (isIdle: boolean) => void
}

const turnAbilities = (
  connection: GatewayConnection | undefined,
  startedAt: number | undefined
): GatewayAbilities | null =>
  connection === undefined
    ? null
    : {
        protocol: connection.protocol,
        canRewind: connection.methods.has("sessions.rewind"),
        startedAt: startedAt ?? null
      }

/**
 * A session's conversation, followed on the console's own connection: feeds everything that happens to its rules, and
 * does what those ask for. `sessionKey` is the one among those of all gateways.
 */
export const openConversation = Effect.fnUntraced(function* (
  { activity, client, id: gatewayId }: LinkedGateway,
  sessionKey: string,
  { newEpoch, outbox }: { readonly newEpoch: () => string; readonly outbox: Outbox["Service"] }
) {
  const { key } = keyParts(sessionKey)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const run = yield* FiberSet.makeRuntime<never>()
  const history = makeHistoryReading(client, sessionKey)
  const shownState = makeShownState(gatewayId)
  const versionReading = makeVersionReading(client, key)
  const timers = new Map<Timer | "publish", Fiber.Fiber<unknown>>()
  const enders = new Set<ConversationViewer["ended"]>()
  /** Resolved once the history was read, or the gateway refused it. */
  const settled = Deferred.makeUnsafe<void>()
  const ready = Effect.asVoid(Effect.timeoutOption(Deferred.await(settled), FIRST_LOOK))
  let state: Conversation = newConversation(sessionKey)
  let connection: GatewayConnection | undefined
  let unreached: Failure | undefined
  /** Something was missed while nobody was looking. */
  let isStale = false
  let stoppedBy: string | undefined
  let versions = NO_VERSIONS
  /** What the versions were read for last; null where nobody looks, or while a turn is running. */
  let versionsOf: string | null = null
  let versionReads = 0
  /** The last read of the history that was begun. */
  let reading: Fiber.Fiber<void> | undefined
  /** How many requests wait for the history. */
  let waiting = 0
  /** Why it couldn't be read last. */
  let unread: Failure | undefined
  /** Held by a person's action that goes back in the session. */
  const actions = yield* Semaphore.make(1)

  const after = (timer: Timer | "publish", ms: number | null, then: () => void) => {
    timers.get(timer)?.interruptUnsafe()
    timers.delete(timer)
    if (ms === null) return
    const elapsed = Effect.sync(() => {
      timers.delete(timer)
      then()
    })
    timers.set(timer, run(Effect.andThen(Effect.sleep(ms), elapsed)))
  }

  const publisher = makePublisher({
    shown: () => shownState(state, { connection, unreached, versions }),
    newEpoch,
    now,
    after: (ms, then) => after("publish", ms, then)
  })

  const dispatch = (event: ConversationEvent): void => {
    const next = heldStep({ ...state, now: now() }, event)
    state = next.state
    for (const effect of next.effects) perform(effect)
    followVersions()
    if (state.status !== "loading") Deferred.doneUnsafe(settled, Effect.void)
  }

  const perform = (effect: ConversationEffect): void => {
    switch (effect.type) {
      case "publish":
        publisher.note()
        break
      case "timer":
        after(effect.timer, effect.ms, () => dispatch({ type: "elapsed", timer: effect.timer }))
        break
      case "read":
        reading = run(read(effect.plan))
        break
      case "turnEnd":
        turnEnded(effect.turn)
        break
      // Only a page's own conversation sends messages, loads older pages and waits for what it has asked.
      default:
        break
    }
  }

  /** Reads the versions once for all viewers, whenever another one came on screen or a turn ended. */
  const followVersions = (isForced = false): void => {
    if (publisher.viewers === 0 || isRunning(state) || state.status !== "ready" || state.link === null) {
      versionsOf = null
      return
    }
    const { timeline } = state
    const now = `${timeline.length} ${timeline[0]?.item.key} ${timeline.at(-1)?.item.key}`
    if (now === versionsOf && !isForced) return
    versionsOf = now
    run(readVersions)
  }

  const readVersions = Effect.gen(function* () {
    const id = ++versionReads
    const next = abilitiesOf(connection).versions ? yield* versionReading : NO_VERSIONS
    if (id !== versionReads || JSON.stringify(next) === JSON.stringify(versions)) return
    versions = next
    publisher.note()
  }).pipe(Effect.ignore)

  const turnEnded = ({ isStopped: _, last, outcome, question, runId }: TurnEnd) => {
    publisher.flush()
    const turn: EndedTurn = {
      runId,
      outcome,
      ...(last === null ? {} : { last }),
      ...(question === null ? {} : { question: question.key }),
      ...(outcome !== "aborted" || stoppedBy === undefined ? {} : { stoppedBy })
    }
    if (!isRunning(state)) stoppedBy = undefined
    for (const tell of enders) tell(turn)
  }

  const read = (plan: ReadPlan) =>
    Effect.gen(function* () {
      // Someone waits for the first page, also before they count as a viewer.
      const isKeptCurrent = publisher.viewers === 0 && waiting === 0 && state.status !== "loading"
      const page = decodeHistory(yield* history.history(plan.params, { background: isKeptCurrent }))
      const asks = page.running === null && plan.isWhole && plan.id === state.reads
      // A gateway that knows no turn to be running says nothing of one that ended without an end.
      const looks = asks || (page.running === false && !page.endsLast && page.messageCount > 0)
      const listed = looks ? yield* activity.listed(key) : undefined
      const isCut = listed?.isCutOff === true
      const running = asks ? listed?.isRunning === true : page.running
      dispatch({ type: "pageRead", plan, page, running: isCut ? false : running, isCut })
    }).pipe(
      Effect.catch((error) =>
        Effect.sync(() => {
          unread = failureOf(error)
          dispatch({ type: "pageFailed", plan, failure: unread })
        })
      )
    )

  const linked = Effect.gen(function* () {
    const problem = yield* client.problem
    connection = problem === undefined ? yield* client.connection : undefined
    if (connection === undefined) return
    const link = turnAbilities(connection, yield* client.gatewayStartedAt)
    unreached = undefined
    isStale = false
    dispatch({ type: "linked", link })
  })

  const catchUp = (): void => {
    isStale = true
    if (publisher.viewers > 0) run(linked)
  }

  /** Whether something may have happened since the history was read last. */
  const isBehind = (): boolean => isStale || state.link === null || state.failures > 0

  /** Waits for what reads the history, and for the read that took its place, if one did. */
  const readToEnd = Effect.gen(function* () {
    let last: typeof reading
    while (reading !== last) {
      last = reading
      if (last !== undefined) yield* Fiber.await(last)
    }
  })

  /** Runs something that somebody waits for, so that its reads go before those that nobody waits for. */
  const waitFor = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        waiting += 1
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          waiting -= 1
        })
    )

  const refusal = Effect.flatMap(client.problem, (problem) => {
    const answered = state.failure ?? unread ?? timedOut("chat.history")
    return Effect.fail(problem ?? new GatewayError({ reason: "failed", ...failureOf(answered) }))
  })

  yield* linked
  yield* outbox
    .follow({ gatewayId, sessionKey: key }, (items) =>
      dispatch({ type: "outbox", messages: items.map(outboxMessageOf) })
    )
    .pipe(Effect.ignore({ log: "Warn" }))
  run(
    Effect.andThen(
      Effect.sleep(GIVE_UP),
      Effect.flatMap(client.problem, (problem) =>
        Effect.sync(() => {
          if (state.status !== "loading" || problem === undefined) return
          unreached = failureOf(problem)
          publisher.note()
        })
      )
    )
  )

  return {
    /** A frame about this session. */
    frame: ({ event, payload }: GatewayEvent): void => dispatch({ type: "frame", event, payload: fieldsOf(payload) }),
    linked: catchUp,
    gap: (): void => {
      if (publisher.viewers === 0) isStale = true
      else dispatch({ type: "gap" })
    },
    down: (): void => {
      connection = undefined
      dispatch({ type: "linked", link: null })
    },
    /** Waits until there is something to show, for as long as a person would. */
    ready,
    /** The same, and reads first what was missed while nobody was looking, where there's a connection. */
    upToDate: waitFor(
      Effect.gen(function* () {
        if (isBehind()) yield* linked
        yield* ready
        if (state.status !== "loading") yield* readToEnd
      })
    ),
    isBehind,
    /** Why there's nothing to show, or only what was. */
    refusal,
    current: () => publisher.current(),
    view: ({ ended, published }: ConversationViewer): (() => void) => {
      const leave = publisher.view(published)
      enders.add(ended)
      if (isStale) catchUp()
      else followVersions()
      return () => {
        leave()
        enders.delete(ended)
      }
    },
    get viewers(): number {
      return publisher.viewers
    },
    size: (): number => state.timeline.reduce((sum, { item }) => sum + sizeOf(item), 0),
    /** A person stops what runs, in the tab of that id; what the gateway answers follows. */
    stopping: (tab: string | undefined): Stopping => {
      stoppedBy = tab
      const to: Asked = { of: "abort", call: 0, askedAt: state.turns.mark }
      dispatch({ type: "abort", call: to.call })
      // Every tab says so, however soon the turn ends.
      publisher.flush()
      return {
        stopped: (runIds) => dispatch({ type: "answered", to, answer: { aborted: true, runIds } }),
        notStopped: (isIdle) => {
          stoppedBy = undefined
          if (isIdle) dispatch({ type: "answered", to, answer: { aborted: false } })
          else dispatch({ type: "unanswered", to, failure: conversationFailure("NOTHING_TO_STOP") })
        }
      }
    },
    /** Reads the history again, and waits for that; fails if it can't be read. */
    reread: waitFor(
      Effect.gen(function* () {
        if (isBehind()) yield* linked
        else dispatch({ type: "resync" })
        yield* readToEnd
        if (isBehind()) return yield* refusal
      })
    ),
    /** The gateway removed a question and everything after it; null is one before all that is held. */
    removedFrom: (itemKey: string | null): void => dispatch({ type: "removed", key: itemKey }),
    /** Leaves out items that only this conversation knows of. */
    drop: (keys: ReadonlyArray<string>): void => {
      if (keys.length > 0) dispatch({ type: "takeBack", keys })
    },
    /** The versions may have changed. */
    versionsMoved: (): void => followVersions(true),
    /** Runs an action while no other one runs. */
    alone: actions.withPermit,
    get state(): Conversation {
      return state
    }
  }
})

export type OpenConversation = Effect.Success<ReturnType<typeof openConversation>>
