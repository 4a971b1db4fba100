import { Clock, Context, Deferred, Effect, Fiber, Layer, Option, Queue, Result, Schedule } from "effect"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { InboxDecision, InboxItem, InboxPage, InboxQuery } from "../../contract/schema/inbox.ts"
import { Board } from "../board/Board.ts"
import { BoardRuns } from "../board/runs/BoardRuns.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { ASK_ORIGINS } from "../gateway/feed/FeedEvent.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { Answering } from "../platform/startup/Answering.ts"
import type { AgentAsk, AskedState, Asker } from "./agentAsk.ts"
import { agentDesk } from "./agentDesk.ts"
import { withAnswer } from "./answerText.ts"
import { boardDesk } from "./boardDesk.ts"
import { CRON_ORIGIN, cronDesk } from "./cronDesk.ts"
import { gatewayDesk } from "./gatewayDesk.ts"
import { type Ending, makeLedger } from "./InboxLedger.ts"
import type { InboxDesk } from "./inboxDesk.ts"
import { type InvalidDecision, ItemNotFound, ItemResolved, type TooManyQuestions } from "./inboxErrors.ts"
import { type CheckedDecision, checkedDecision, UNKNOWN_ACTION } from "./inboxRules.ts"
import { listItems, openOf, releaseSources, type StoredItem } from "./inboxStore.ts"

/** How long the word for an end may take after a decision was refused because of that end. */
const WORD_LIMIT = "1 second"

export interface InboxShape {
  readonly list: (query: InboxQuery) => Effect.Effect<InboxPage, StoreError>
  readonly get: (id: string) => Effect.Effect<InboxItem, ItemNotFound | StoreError>
  /**
   * Carries a decision out. Of several, from wherever, exactly one wins; the others fail with how the item ended. When
   * the gateway doesn't take it, the item stays open and the gateway is asked again what waits.
   */
  readonly resolve: (
    id: string,
    decision: InboxDecision
  ) => Effect.Effect<InboxItem, ItemNotFound | ItemResolved | InvalidDecision | GatewayError | StoreError>
  /** Opens a question of an agent that uses the console's tools, and returns its id at once. */
  readonly ask: (question: AgentAsk, asker: Asker) => Effect.Effect<string, TooManyQuestions | StoreError>
  /** What became of a question; only the agent that asked finds it. */
  readonly askedBy: (id: string, asker: string) => Effect.Effect<AskedState, ItemNotFound | StoreError>
}

/** What needs a person: of every gateway and of the board, in one list. */
export class Inbox extends Context.Service<Inbox, InboxShape>()("agent-console/services/inbox/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      const board = yield* Board
      const runs = yield* BoardRuns
      const answering = yield* Answering
      const scope = yield* Effect.scope
      const ledger = yield* makeLedger(sqlite, bus)
      const agents = agentDesk(sqlite, ledger, PRIMARY)
      const gatewayDesks = yield* every.each(({ client, feed }) =>
        Effect.all([gatewayDesk(client, feed, ledger), cronDesk(client, feed, ledger)])
      )
      const ownDesks: ReadonlyArray<InboxDesk> = [
        agents.desk,
        yield* boardDesk({ board, runs, bus, ledger, gatewayId: PRIMARY, answering: answering.wait })
      ]
      const deskOf = ({ from: { origin }, item: { gatewayId } }: StoredItem) =>
        [...(gatewayDesks.get(gatewayId) ?? []), ...ownDesks].find(({ origins }) => origins.includes(origin))
      yield* every.onRemoved((gatewayId) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) =>
          ledger.change((db) => {
            const ended = [...ASK_ORIGINS, CRON_ORIGIN]
              .flatMap((origin) => openOf(db, gatewayId, origin))
              .flatMap((gone) => ledger.settled(db, gone, () => ({ action: UNKNOWN_ACTION, at, by: "elsewhere" })))
            releaseSources(db, gatewayId)
            return ended
          })
        ).pipe(Effect.ignore({ log: "Warn" }))
      )
      const rereads = yield* Queue.sliding<{ readonly desk: InboxDesk; readonly origin: string }>(16)

      const readAgain = Effect.flatMap(Queue.take(rereads), ({ desk, origin }) =>
        desk.readAgain(origin).pipe(
          Effect.retry({ schedule: Schedule.spaced("2 seconds"), times: 2 }),
          Effect.catch((error) => Effect.logWarning(`Couldn't read what waits for a person: ${error.message}`))
        )
      )

      /** Carries one decision out; `heard` has how the item ended elsewhere in the meantime. */
      const decide = Effect.fnUntraced(function* (
        desk: InboxDesk,
        found: StoredItem,
        checked: CheckedDecision,
        heard: Deferred.Deferred<Ending>
      ) {
        const { item, from } = found
        const carried = yield* Effect.result(desk.carryOut(found, checked))
        const at = yield* Clock.currentTimeMillis
        if (Result.isSuccess(carried))
          return yield* ledger.end(item.id, (open) =>
            withAnswer(open, { action: checked.action, at, by: "console" }, checked.answers)
          )
        const { failure } = carried
        if (failure._tag === "Settled") {
          const word = yield* Effect.timeoutOption(Deferred.await(heard), WORD_LIMIT)
          const ending = Option.getOrElse(word, () => failure.ending)
          return yield* new ItemResolved({ item: yield* ledger.end(item.id, ending) })
        }
        if (!(yield* Deferred.isDone(heard))) {
          yield* Queue.offer(rereads, { desk, origin: from.origin })
          return yield* failure
        }
        const over = yield* ledger.end(item.id, yield* Deferred.await(heard))
        // The response was lost, and everybody was told that this very decision counts.
        return over.resolution?.action === checked.action ? over : yield* new ItemResolved({ item: over })
      })

      const resolve: InboxShape["resolve"] = Effect.fn("Inbox.resolve")(function* (id, decision) {
        yield* ledger.untilFree(id)
        const found = yield* ledger.stored(id)
        if (found.item.state !== "open") return yield* new ItemResolved({ item: found.item })
        const checked = yield* Effect.fromResult(checkedDecision(found.item, decision))
        const desk = deskOf(found)
        if (desk === undefined) return yield* new ItemNotFound({ id })
        if (ledger.isDeciding(id)) return yield* resolve(id, decision)
        // Who asked may leave: the decision is carried out all the same.
        const carried = yield* ledger
          .deciding(id, (heard) => decide(desk, found, checked, heard))
          .pipe(Effect.forkIn(scope, { startImmediately: true }))
        return yield* Fiber.join(carried)
      })

      const keepTime = Effect.catch(ledger.tick, ({ message }) =>
        Effect.andThen(Effect.logWarning(`Couldn't expire items of the inbox: ${message}`), Effect.sleep("1 minute"))
      )
      yield* Effect.forkScoped(Effect.forever(readAgain))
      yield* Effect.forkScoped(Effect.andThen(answering.wait, Effect.forever(keepTime)))

      return Inbox.of({
        list: (query) => sqlite.read((db) => listItems(db, query)),
        get: (id) => Effect.map(ledger.stored(id), ({ item }) => item),
        resolve,
        ask: agents.ask,
        askedBy: agents.askedBy
      })
    })
  )
}
