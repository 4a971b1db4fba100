import { Effect, PubSub, Queue, Scope, Semaphore } from "effect"
import { diffItems } from "../../contract/diffItems.ts"
import type { LiveGateway, PatchOp } from "../../contract/schema/live.ts"
import { Gateways } from "../../services/gateway/registry/Gateways.ts"
import { EventBus } from "../../services/platform/events/EventBus.ts"
import type { LiveChannel, ShownState } from "./LiveChannel.ts"
import type { Reach } from "./Reach.ts"

type Items = ReadonlyArray<LiveGateway>
type Listener = (before: Items, after: Items, ops: ReadonlyArray<PatchOp>) => void

const keyOf = ({ id }: LiveGateway): string => id

/** The topic `gateways`: one list for all channels, which follows the gateways from the first channel on. */
export const makeGatewayList = Effect.gen(function* () {
  const gateways = yield* Gateways
  const bus = yield* EventBus
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  const listeners = new Set<Listener>()
  let items: Items = []

  const refresh = turn.withPermit(
    Effect.map(gateways.live, (next) => {
      const before = items
      const ops = diffItems(before, next, keyOf)
      if (ops.length === 0) return
      items = next
      for (const listener of listeners) listener(before, next, ops)
    })
  )

  const follow = yield* Effect.cached(
    Effect.gen(function* () {
      const signals = yield* Queue.sliding<void>(1)
      const signal = Queue.offer(signals, undefined)
      const events = yield* bus.subscribe
      yield* PubSub.take(events).pipe(
        Effect.flatMap(({ event }) => (event === "gateway.changed" ? signal : Effect.void)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* gateways.every.each(({ client }) =>
        Effect.flatMap(client.linkChanges, (changes) =>
          PubSub.take(changes).pipe(Effect.andThen(signal), Effect.forever, Effect.forkScoped)
        )
      )
      yield* Queue.take(signals).pipe(Effect.andThen(refresh), Effect.forever, Effect.forkScoped)
    }).pipe(Scope.provide(scope))
  )

  return Effect.fnUntraced(function* (channel: LiveChannel, reach: Reach): Effect.fn.Return<ShownState> {
    yield* follow
    yield* refresh
    const visible = (all: Items) => (reach.isEverything ? all : all.filter(({ id }) => reach.has(id)))
    const listener: Listener = (before, after, ops) =>
      channel.patch(reach.isEverything ? ops : diffItems(visible(before), visible(after), keyOf))
    listeners.add(listener)
    return { read: () => ({ items: visible(items) }), close: () => listeners.delete(listener) }
  })
})
