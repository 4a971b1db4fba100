import { Clock, Effect, Layer, Option, PubSub, Queue } from "effect"
import type { PublishedEvent } from "../../../contract/ConsoleEvent.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { EveryGateway } from "../../gateway/registry/EveryGateway.ts"
import { type StartConditions, StartHolds } from "../../holds/StartHolds.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { ServerReady } from "../../platform/ServerReady.ts"
import { Board } from "../Board.ts"
import { workerOf } from "../flow/flowAnswers.ts"
import { BoardRuns } from "../runs/BoardRuns.ts"
import type { Candidate } from "../store/automaticStore.ts"
import { hasRoom, isFull, type Room } from "./automaticStarts.ts"

/** A clock that is put forward or back is noticed within this time; looking at it costs nothing. */
const CLOCK_EVERY_MS = 1_000
/** What holds a card outside the board says so when it ends; after this time it's looked at all the same. */
const HELD_EVERY_MS = 30_000
/** The pause before another look while the board can't be read. */
const AWAY = "2 seconds"

const mayLetStart = (event: PublishedEvent): boolean => {
  switch (event.event) {
    case "kanban.changed":
      return event.data.kind === "task" || event.data.kind === "config"
    case "budget.changed":
      return event.data.action !== "spent"
    case "stop.changed":
      return true
    default:
      return false
  }
}

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/**
 * Starts cards by themselves as soon as nothing holds them. It looks again whenever something changed that may hold them
 * no longer, and keeps nothing in memory: after a crash, or beside other consoles, the board says what is left to start.
 */
export const AutoStarter = Layer.effectDiscard(
  Effect.gen(function* () {
    const board = yield* Board
    const runs = yield* BoardRuns
    const every = yield* EveryGateway
    const holds = yield* StartHolds
    const serverReady = yield* ServerReady
    const news = yield* Queue.sliding<void>(1)
    const lookAgain = Queue.offer(news, undefined)

    const events = yield* (yield* EventBus).subscribe
    yield* PubSub.take(events).pipe(
      Effect.flatMap((event) => (mayLetStart(event) ? lookAgain : Effect.void)),
      Effect.forever,
      Effect.forkScoped
    )
    yield* every.each(
      Effect.fnUntraced(function* ({ client }) {
        const changes = yield* client.linkChanges
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(PubSub.take(changes), lookAgain)))
        yield* lookAgain
      })
    )

    /** The agent that may start a card now, unless something outside the board holds it. */
    const agentFor = Effect.fnUntraced(function* (
      card: Candidate,
      defaultModel: string | undefined,
      conditions: StartConditions,
      known: Map<string, string | undefined>
    ) {
      const { assignee, gatewayId = PRIMARY, id: taskId, model = defaultModel } = card
      if (conditions.isStopped || conditions.gatewayOf(gatewayId) !== "there") return undefined
      const label = JSON.stringify([gatewayId, assignee])
      const agentId = known.has(label) ? known.get(label) : yield* runs.agentOf(card)
      known.set(label, agentId)
      if (agentId === undefined) return undefined
      const start = { taskId, gatewayId, agentId, model }
      return conditions.budgetOf(start) === undefined && conditions.usageOf(start) === undefined ? agentId : undefined
    })

    /** Starts what can start; returns when the next look is due, unless something changes before. */
    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { cards, nextAt, room } = yield* board.automatic.outlook(now)
      // What ends meanwhile is news, and a start asks anew what holds it.
      const conditions = yield* holds.conditions
      const agents = new Map<string, string | undefined>()
      let left: Room = room
      let isHeld = false
      for (const card of cards) {
        if (isFull(left)) break
        const agentId = yield* agentFor(card, room.defaultModel, conditions, agents)
        if (agentId === undefined) isHeld = true
        else if (hasRoom(left, workerOf(card.gatewayId, agentId))) {
          const begun = yield* board.automatic.begin(card, agentId)
          if (begun === "off") break
          if (begun === "held") isHeld = true
          else
            left = {
              ...left,
              places: left.places === undefined ? undefined : left.places - 1,
              working: [...left.working, workerOf(card.gatewayId, agentId)]
            }
        }
      }
      return earlier(nextAt, isHeld ? now + HELD_EVERY_MS : undefined)
    })

    /** Waits for news, or for a time by the clock on the wall, which may jump. */
    const untilDue: (due: number | undefined) => Effect.Effect<void> = Effect.fnUntraced(function* (due) {
      if (due === undefined) return yield* Queue.take(news)
      for (let left = due - (yield* Clock.currentTimeMillis); left > 0; ) {
        if (Option.isSome(yield* Effect.timeoutOption(Queue.take(news), Math.min(left, CLOCK_EVERY_MS)))) return
        left = due - (yield* Clock.currentTimeMillis)
      }
    })

    const step = Effect.matchEffect(look, {
      onSuccess: untilDue,
      onFailure: ({ message }) =>
        Effect.andThen(Effect.logDebug(`Couldn't look for cards to start: ${message}`), Effect.sleep(AWAY))
    })
    yield* Effect.forkScoped(Effect.andThen(serverReady.wait, Effect.forever(step)))
  })
)
