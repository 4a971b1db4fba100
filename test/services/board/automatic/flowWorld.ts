import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Task } from "../../../../src/contract/schema/task.ts"
import type { CreateTask } from "../../../../src/contract/schema/taskInputs.ts"
import { AutoStarter } from "../../../../src/services/board/automatic/AutoStarter.ts"
import { Board } from "../../../../src/services/board/Board.ts"
import { BoardRuns } from "../../../../src/services/board/runs/BoardRuns.ts"
import { BoardStore } from "../../../../src/services/board/store/BoardStore.ts"
import { GatewayFeed } from "../../../../src/services/gateway/feed/GatewayFeed.ts"
import { EveryGateway } from "../../../../src/services/gateway/registry/EveryGateway.ts"
import {
  type CardStart,
  type EverythingStopped,
  NO_CONDITIONS,
  StartHolds
} from "../../../../src/services/holds/StartHolds.ts"
import { Inbox } from "../../../../src/services/inbox/Inbox.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../../../src/services/platform/ServerReady.ts"
import type { Sqlite } from "../../../../src/services/platform/sqlite/Sqlite.ts"
import { type FakeGateway, makeFakeGateway } from "../fakeGateway.ts"
import { settled } from "../turnOf.ts"

/** A board whose cards start by themselves, with an inbox, on a gateway in memory and on the test's clock. */
export const flowWorldOn = Effect.fnUntraced(function* (
  base: Context.Context<BoardStore | Sqlite | EventBus>,
  given?: FakeGateway
) {
  const gateway = given ?? (yield* makeFakeGateway)
  /** What holds starts outside the board. */
  const outside: {
    held: EverythingStopped | undefined
    /** When the limit of these models is over, or of every one. */
    usedUp: number | undefined
    usedUpModel: string | undefined
  } = { held: undefined, usedUp: undefined, usedUpModel: undefined }
  const holds = Layer.succeed(StartHolds, {
    ofMessage: () => undefined,
    ofCard: () => Effect.sync(() => outside.held),
    isOnItsWay: () => false,
    judgedBy: () => Effect.void,
    conditions: Effect.sync(() => ({
      ...NO_CONDITIONS,
      isStopped: outside.held !== undefined,
      usageOf: ({ model }: CardStart) =>
        outside.usedUp === undefined || (outside.usedUpModel ?? model) !== model ? undefined : { until: outside.usedUp }
    })),
    conditionsFrom: () => Effect.void
  })
  const context = yield* Layer.build(
    AutoStarter.pipe(
      Layer.provideMerge(Inbox.layer),
      Layer.provideMerge(BoardRuns.layer),
      Layer.provideMerge(Board.layer),
      Layer.provideMerge(holds),
      Layer.provide(EveryGateway.primaryOnly),
      Layer.provide(GatewayFeed.layer),
      Layer.provide(gateway.layer),
      Layer.provideMerge(ServerReadyLive),
      Layer.provideMerge(Layer.succeedContext(base))
    )
  )
  yield* Context.get(context, ServerReady).open
  const board = Context.get(context, Board)
  const inbox = Context.get(context, Inbox)
  const bus = Context.get(context, EventBus)
  const settle = settled(Context.get(base, BoardStore), 80)

  const add = (title: string, more: Partial<CreateTask> = {}) =>
    board.create({ title, status: "todo", autoStart: true, ...more })
  /** The board as it is when nothing more happens by itself, by title. */
  const cards = Effect.gen(function* () {
    yield* settle
    const { items } = yield* board.list({ statuses: [], priorities: [], limit: 200, offset: 0 })
    return new Map(items.map((task) => [task.title, task]))
  })
  const card = (title: string) =>
    Effect.map(cards, (all): Task => {
      const found = all.get(title)
      if (found === undefined) throw new Error(`there's no card ${title}`)
      return found
    })
  const running = Effect.map(cards, (all) =>
    [...all.values()].filter(({ status }) => status === "in-progress").map(({ title }) => title)
  )
  const change = (title: string, patch: Omit<Parameters<typeof board.patch>[1], "version">) =>
    Effect.flatMap(card(title), ({ id, version }) => board.patch(id, { version, ...patch }))
  /** A run ends as if its agent said so. */
  const finish = (title: string) => Effect.flatMap(card(title), ({ id }) => board.complete(id, { result: "Done." }))
  const fail = (title: string) => Effect.flatMap(card(title), ({ id }) => board.complete(id, { error: "It broke." }))
  const items = (state: "open" | "resolved" = "open") =>
    Effect.andThen(
      settle,
      Effect.map(inbox.list({ state, kinds: [], limit: 200, offset: 0 }), ({ items: found }) => found)
    )
  const pass = (time: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(time), settle)
  yield* settle
  const runs = Context.get(context, BoardRuns)
  return {
    add,
    board,
    bus,
    card,
    cards,
    change,
    fail,
    finish,
    gateway,
    inbox,
    items,
    outside,
    pass,
    running,
    runs,
    settle
  }
})

export type FlowWorld = Effect.Success<ReturnType<typeof flowWorldOn>>
