import { Clock, Context, Deferred, Effect, Fiber, Layer, Option, Queue, Result, Schedule, type Scope } from "effect"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { InboxDecision, InboxItem, InboxPage, InboxQuery } from "../../contract/schema/inbox.ts"
import { Board } from "../board/Board.ts"
import { BoardRuns, type StartRefused } from "../board/runs/BoardRuns.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { ASK_ORIGINS } from "../gateway/feed/FeedEvent.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { ServerReady } from "../platform/ServerReady.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { type AgentAsk, type AskedState, type Asker, makeAgentQuestions } from "./agentQuestions.ts"
import { makeBlockedSource } from "./blockedSource.ts"
import { makeBoardSource } from "./boardSource.ts"
import { CRON_ORIGIN, makeCronSource } from "./cronSource.ts"
import { makeGatewaySource } from "./gatewaySource.ts"
import { type Ending, type InboxSource, type ItemStore, makeItemStore } from "./ItemStore.ts"
import {
  type CheckedDecision,
  checkedDecision,
  type InvalidDecision,
  ItemNotFound,
  ItemResolved,
  type TooManyQuestions,
  UNKNOWN_ACTION,
  withAnswer
} from "./inboxRules.ts"
import { listItems, openOf, releaseSources, type StoredItem } from "./inboxTable.ts"

/** How long the event of an end may take after a decision was refused because of that end. */
const EVENT_LIMIT = "1 second"

export interface InboxShape {
  /** The items, for those who open and end some together with changes of their own. */
  readonly items: Effect.Effect<ItemStore>
  /** Lets a source execute the decisions about its items until the scope closes. */
  readonly decidedBy: (source: InboxSource) => Effect.Effect<void, never, Scope.Scope>
  readonly list: (query: InboxQuery) => Effect.Effect<InboxPage, StoreError>
  readonly get: (id: string) => Effect.Effect<InboxItem, ItemNotFound | StoreError>
  /**
   * Executes a decision. Of several, from any client, exactly one wins; the others fail with the item's end. If the
   * gateway doesn't accept it, the item stays open and the gateway's open items are read again.
   */
  readonly resolve: (
    id: string,
    decision: InboxDecision
  ) => Effect.Effect<
    InboxItem,
    ItemNotFound | ItemResolved | InvalidDecision | GatewayError | StartRefused | StoreError
  >
  /** Opens a question of an agent that uses the console's tools, and returns its id at once. */
  readonly ask: (question: AgentAsk, asker: Asker) => Effect.Effect<string, TooManyQuestions | StoreError>
  /** The state of a question; only the agent that asked finds it. */
  readonly askedBy: (id: string, asker: string) => Effect.Effect<AskedState, ItemNotFound | StoreError>
}

/** The items of all gateways and the board that need a person, in one list. */
export class Inbox extends Context.Service<Inbox, InboxShape>()("agent-console/services/inbox/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      const board = yield* Board
      const runs = yield* BoardRuns
      const serverReady = yield* ServerReady
      const scope = yield* Effect.scope
      const store = yield* makeItemStore(sqlite, bus)
      const agents = makeAgentQuestions(sqlite, store, PRIMARY)
      const gatewaySources = yield* every.each(({ client, feed }) =>
        Effect.all([makeGatewaySource(client, feed, store), makeCronSource(client, feed, store)])
      )
      const ofBoard = { board, runs, bus, store, gatewayId: PRIMARY, serverReady: serverReady.wait }
      const consoleSources: ReadonlyArray<InboxSource> = [
        agents.source,
        yield* makeBoardSource(ofBoard),
        yield* makeBlockedSource(ofBoard)
      ]
      const others = new Set<InboxSource>()
      const sourceOf = ({ from: { origin }, item: { gatewayId } }: StoredItem) =>
        [...(gatewaySources.get(gatewayId) ?? []), ...consoleSources, ...others].find(({ origins }) =>
          origins.includes(origin)
        )
      yield* every.onRemoved((gatewayId) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) =>
          store.change((db) => {
            const ended = [...ASK_ORIGINS, CRON_ORIGIN]
              .flatMap((origin) => openOf(db, gatewayId, origin))
              .flatMap((gone) => store.settled(db, gone, () => ({ action: UNKNOWN_ACTION, at, by: "elsewhere" })))
            releaseSources(db, gatewayId)
            return ended
          })
        ).pipe(Effect.ignore({ log: "Warn" }))
      )
      const rereads = yield* Queue.sliding<{ readonly source: InboxSource; readonly origin: string }>(16)

      const reload = Effect.flatMap(Queue.take(rereads), ({ source, origin }) =>
        source.reload(origin).pipe(
          Effect.retry({ schedule: Schedule.spaced("2 seconds"), times: 2 }),
          Effect.catch((error) => Effect.logWarning(`Couldn't read what waits for a person: ${error.message}`))
        )
      )

      /** Executes one decision; `reported` is how the item ended elsewhere in the meantime. */
      const decide = Effect.fnUntraced(function* (
        source: InboxSource,
        found: StoredItem,
        checked: CheckedDecision,
        reported: Deferred.Deferred<Ending>
      ) {
        const { item, from } = found
        const executed = yield* Effect.result(source.execute(found, checked))
        const at = yield* Clock.currentTimeMillis
        if (Result.isSuccess(executed))
          return yield* store.end(item.id, (open) =>
            withAnswer(open, { action: checked.action, at, by: "console" }, checked.answers)
          )
        const { failure } = executed
        if (failure._tag === "Settled") {
          const event = yield* Effect.timeoutOption(Deferred.await(reported), EVENT_LIMIT)
          const ending = Option.getOrElse(event, () => failure.ending)
          return yield* new ItemResolved({ item: yield* store.end(item.id, ending) })
        }
        if (!(yield* Deferred.isDone(reported))) {
          yield* Queue.offer(rereads, { source, origin: from.origin })
          return yield* failure
        }
        const over = yield* store.end(item.id, yield* Deferred.await(reported))
        // The response was lost, but the event says that this decision counts.
        return over.resolution?.action === checked.action ? over : yield* new ItemResolved({ item: over })
      })

      const resolve: InboxShape["resolve"] = Effect.fn("Inbox.resolve")(function* (id, decision) {
        yield* store.untilFree(id)
        const found = yield* store.stored(id)
        if (found.item.state !== "open") return yield* new ItemResolved({ item: found.item })
        const checked = yield* Effect.fromResult(checkedDecision(found.item, decision))
        const source = sourceOf(found)
        if (source === undefined) return yield* new ItemNotFound({ id })
        if (store.isDeciding(id)) return yield* resolve(id, decision)
        // The decision is executed even if the caller is interrupted.
        const executed = yield* store
          .deciding(id, (reported) => decide(source, found, checked, reported))
          .pipe(Effect.forkIn(scope, { startImmediately: true }))
        return yield* Fiber.join(executed)
      })

      const keepTime = Effect.catch(store.tick, ({ message }) =>
        Effect.andThen(Effect.logWarning(`Couldn't expire items of the inbox: ${message}`), Effect.sleep("1 minute"))
      )
      yield* Effect.forkScoped(Effect.forever(reload))
      yield* Effect.forkScoped(Effect.andThen(serverReady.wait, Effect.forever(keepTime)))

      return Inbox.of({
        items: Effect.succeed(store),
        decidedBy: (source) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => others.add(source)),
              () => Effect.sync(() => others.delete(source))
            )
          ),
        list: (query) => sqlite.read((db) => listItems(db, query)),
        get: (id) => Effect.map(store.stored(id), ({ item }) => item),
        resolve,
        ask: agents.ask,
        askedBy: agents.askedBy
      })
    })
  )
}
