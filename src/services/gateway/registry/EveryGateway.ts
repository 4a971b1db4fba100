import { Context, Effect, Exit, Layer, Result, Scope } from "effect"
import { Sqlite } from "../../platform/sqlite/Sqlite.ts"
import { makeSessionActivity, type SessionActivity } from "../activity/SessionActivity.ts"
import { GatewayClient, type GatewayClientShape } from "../client/GatewayClient.ts"
import { forgetGateway } from "../feed/feedPosition.ts"
import { GatewayFeed, type GatewayFeedShape } from "../feed/GatewayFeed.ts"

/** A gateway the console is connected to, or tries to be. */
export interface LinkedGateway {
  readonly id: string
  readonly client: GatewayClientShape
  readonly feed: GatewayFeedShape
  /** What runs in its sessions. */
  readonly activity: SessionActivity
}

export interface EveryGatewayShape {
  /**
   * Makes something for each gateway, also for those that are added later, in a scope that ends with its gateway: when
   * it's removed, or gets another address or token. What is there now is in the map, by the gateway's id.
   */
  readonly each: <A, R>(
    make: (gateway: LinkedGateway) => Effect.Effect<A, never, Scope.Scope | R>
  ) => Effect.Effect<ReadonlyMap<string, A>, never, Scope.Scope | R>
  /** Runs whenever a gateway was removed for good. */
  readonly onRemoved: (handle: (id: string) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}

/** What wants something of every gateway, and the gateways that are there. */
export const makeEveryGateway = () => {
  const gateways = new Map<Scope.Scope, LinkedGateway>()
  const starts = new Set<(gateway: LinkedGateway, scope: Scope.Scope) => Effect.Effect<void>>()
  const handlers = new Set<(id: string) => Effect.Effect<void>>()

  const each: EveryGatewayShape["each"] = Effect.fnUntraced(function* <A, R>(
    make: (gateway: LinkedGateway) => Effect.Effect<A, never, Scope.Scope | R>
  ) {
    const outer = yield* Effect.scope
    const context = yield* Effect.context<R>()
    const made = new Map<string, A>()
    const start = Effect.fnUntraced(function* (gateway: LinkedGateway, scope: Scope.Scope) {
      const own = yield* Scope.fork(outer)
      yield* Scope.addFinalizer(scope, Scope.close(own, Exit.void))
      const one = yield* make(gateway).pipe(Scope.provide(own), Effect.provideContext(context))
      made.set(gateway.id, one)
      yield* Scope.addFinalizer(
        own,
        Effect.sync(() => made.delete(gateway.id))
      )
    })
    yield* Effect.acquireRelease(
      Effect.sync(() => starts.add(start)),
      () => Effect.sync(() => starts.delete(start))
    )
    for (const [scope, gateway] of gateways) yield* start(gateway, scope)
    return made
  })

  return {
    every: {
      each,
      onRemoved: (handle) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => handlers.add(handle)),
            () => Effect.sync(() => handlers.delete(handle))
          )
        )
    } satisfies EveryGatewayShape,
    /** A gateway is there until its scope ends. */
    joined: Effect.fnUntraced(function* (joining: Omit<LinkedGateway, "activity">, scope: Scope.Scope) {
      const activity = yield* Scope.provide(makeSessionActivity(joining.client, joining.feed.sessions), scope)
      const gateway: LinkedGateway = { ...joining, activity }
      gateways.set(scope, gateway)
      yield* Scope.addFinalizer(
        scope,
        Effect.sync(() => gateways.delete(scope))
      )
      for (const start of starts) yield* start(gateway, scope)
    }),
    removed: (id: string) => Effect.forEach(handlers, (handle) => handle(id), { discard: true })
  }
}

/** The console's gateways, for what has to do with each of them. */
export class EveryGateway extends Context.Service<EveryGateway, EveryGatewayShape>()(
  "agent-console/services/gateway/registry/EveryGateway"
) {
  /** The gateway of the settings alone. */
  static readonly primaryOnly = Layer.effect(
    EveryGateway,
    Effect.gen(function* () {
      const { every, joined } = makeEveryGateway()
      const feed = yield* GatewayFeed
      yield* joined({ id: feed.gatewayId, client: yield* GatewayClient, feed }, yield* Effect.scope)
      return every
    })
  )
}

/** One that gets the id of a removed gateway may be another one: nothing of it was read yet. */
export const forgetRemoved = Layer.effectDiscard(
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const every = yield* EveryGateway
    yield* every.onRemoved((id) =>
      sqlite.transaction((db) => Result.succeed(forgetGateway(db, id))).pipe(Effect.ignore({ log: "Warn" }))
    )
  })
)
