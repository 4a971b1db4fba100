import { Context, Effect, Layer, PubSub, Schema } from "effect"
import { TestClock } from "effect/testing"
import { KanbanChange } from "../../../src/contract/schema/kanbanChange.ts"
import type { Task } from "../../../src/contract/schema/task.ts"
import { Board } from "../../../src/services/board/Board.ts"
import { SessionProposals } from "../../../src/services/board/proposals/SessionProposals.ts"
import { BoardRuns } from "../../../src/services/board/runs/BoardRuns.ts"
import { BoardStore } from "../../../src/services/board/store/BoardStore.ts"
import { GatewayFeed } from "../../../src/services/gateway/feed/GatewayFeed.ts"
import { EveryGateway } from "../../../src/services/gateway/registry/EveryGateway.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../../src/services/platform/ServerReady.ts"
import { Sqlite } from "../../../src/services/platform/sqlite/Sqlite.ts"
import { boardInMemory } from "../../support/boardStores.ts"
import { type FakeGateway, makeFakeGateway } from "./fakeGateway.ts"
import { settled, turnOf } from "./turnOf.ts"

const decodeChange = Schema.decodeUnknownSync(KanbanChange)

/** A board in memory with its runs on a fake gateway, on the test's clock. */
export const makeBoardWorld = Effect.fnUntraced(function* (given?: FakeGateway) {
  const gateway = given ?? (yield* makeFakeGateway)
  const base = yield* Layer.build(boardInMemory)
  return yield* boardWorldOn(gateway, base)
})

/** The same on a database that is open already, as after a restart. Runs see the board as `seen` makes it. */
export const boardWorldOn = Effect.fnUntraced(function* (
  gateway: FakeGateway,
  base: Context.Context<BoardStore | Sqlite | EventBus>,
  seen: (board: Board["Service"]) => Board["Service"] = (board) => board
) {
  const context = yield* Layer.build(
    Layer.mergeAll(BoardRuns.layer, SessionProposals).pipe(
      Layer.provide(Layer.effect(Board, Effect.map(Board, seen))),
      Layer.provideMerge(Board.layer),
      Layer.provide(EveryGateway.primaryOnly),
      Layer.provide(GatewayFeed.layer),
      Layer.provide(gateway.layer),
      Layer.provideMerge(ServerReadyLive),
      Layer.provideMerge(Layer.succeedContext(base))
    )
  )
  // As in production, nothing is heard of a gateway before everything that follows it is there.
  yield* Context.get(context, ServerReady).open
  const board = Context.get(context, Board)
  const runs = Context.get(context, BoardRuns)
  const store = Context.get(base, BoardStore)
  const isShared = store.shared !== undefined
  const turn = turnOf(store)
  const events = yield* Context.get(base, EventBus).subscribe
  /** Lets forked fibers go on until the task satisfies the test; without a server, fails after many turns. */
  const until = Effect.fnUntraced(function* (id: string, wanted: (task: Task) => boolean) {
    for (let turns = 0; isShared || turns < 200; turns += 1) {
      const task = yield* board.get(id)
      if (wanted(task)) return task
      yield* turn
    }
    return yield* Effect.die(new Error(`the task never got there: ${JSON.stringify(yield* board.get(id))}`))
  })
  /** Lets forked fibers go on until nothing is left to do for them and, where there is one, for the server. */
  const settle = settled(store, 50)
  const changes = (isShared ? settle : Effect.void).pipe(
    Effect.andThen(PubSub.takeAll(events)),
    Effect.map((all) => all.map((event) => decodeChange(event.data)))
  )
  const pass = (duration: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(duration), settle)
  return {
    board,
    runs,
    gateway,
    base,
    until,
    settle,
    changes,
    pass,
    sqlite: Context.get(base, Sqlite),
    store
  }
})
