import { Context, Deferred, Duration, Effect, Exit, Layer, Path, Redacted, Schema, Scope, Semaphore } from "effect"
import { reasonOf } from "../../../contract/failure.ts"
import { DEFAULT_AGENT_NAME, DEFAULT_GATEWAY_NAME } from "../../../contract/gatewayNames.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { GatewayEntry, GatewayStatus } from "../../../contract/schema/gateway.ts"
import type { LiveGateway } from "../../../contract/schema/live.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { GatewayClient, type GatewayConnection } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import type { GatewayTools } from "../client/GatewayTools.ts"
import { connecting, starting } from "../client/gatewayFailures.ts"
import { LinkWake } from "../client/LinkWake.ts"
import type { Crons } from "../crons/Crons.ts"
import { GatewayFeed } from "../feed/GatewayFeed.ts"
import type { GatewayMedia } from "../media/GatewayMedia.ts"
import type { Models } from "../models/Models.ts"
import type { SessionSettings } from "../sessions/SessionSettings.ts"
import type { Skills } from "../skills/Skills.ts"
import { EveryGateway, type EveryGatewayShape, type LinkedGateway, makeEveryGateway } from "./EveryGateway.ts"
import {
  type AddGateway,
  type ChangeGateway,
  type GatewayKnown,
  gatewaysFile,
  isLocal,
  type PrimaryGateway,
  type StoredGateway,
  type TokenNeeded,
  type TooManyGateways,
  UnknownGateway
} from "./gatewayEntry.ts"
import { liveEntry } from "./liveEntry.ts"
import { added, changed, found, type Primary } from "./registryRules.ts"

/** Where an added gateway's connections go, and what opens them. */
export interface GatewayTarget {
  /** HTTP origin. */
  readonly url: string
  readonly token: Redacted.Redacted<string>
  /** Reports that a connection has succeeded. */
  readonly wake: Effect.Effect<void>
  /** Waits until it's removed, or until its address or token is changed. */
  readonly gone: Effect.Effect<void>
}

/** The targets of the added gateways; without a layer, there are none. */
export const GatewayTargets = Context.Reference<(id: string) => Effect.Effect<GatewayTarget, UnknownGateway>>(
  "agent-console/services/gateway/registry/GatewayTargets",
  { defaultValue: () => (id) => Effect.fail(new UnknownGateway({ id })) }
)

/** A call that costs a gateway almost nothing. */
const SMALL_CALL = "cron.status"

/** What a gateway's client knows of its link. */
interface LinkFacts {
  readonly status: GatewayStatus
  readonly problem: GatewayError | undefined
  readonly connection: GatewayConnection | undefined
}

type State = Omit<GatewayEntry, "id" | "name" | "url" | "primary" | "local">

const stateOf = ({ problem, status }: LinkFacts): State["state"] => {
  if (status.gateway === "ok") return "ok"
  if (problem?.message === connecting.message || problem?.message === starting.message) return "connecting"
  return problem?.reason === "refused" || problem?.reason === "not_approved" ? "refused" : "unreachable"
}

const deviceOf = ({ problem, status }: LinkFacts): State["device"] => {
  if (problem?.reason === "not_approved") return problem.code === "PAIRING_REQUIRED" ? "pending" : "refused"
  return status.gateway === "ok" ? "approved" : "unknown"
}

/** The state of a gateway. */
const entryState = (facts: LinkFacts): State => {
  const { connection, problem, status } = facts
  const requestId = status.approval?.requestId
  return {
    state: stateOf(facts),
    since: status.since,
    device: deviceOf(facts),
    ...(problem === undefined ? {} : reasonOf(problem)),
    ...(connection === undefined ? {} : { protocol: connection.protocol }),
    ...(connection?.version === undefined ? {} : { version: connection.version }),
    ...(requestId === undefined || requestId === null ? {} : { requestId })
  }
}

/** What the console has for each of its gateways. */
export type GatewayServices =
  | GatewayClient
  | GatewayTools
  | GatewayFeed
  | GatewayMedia
  | Models
  | SessionSettings
  | Crons
  | Skills

/**
 * Makes the services of one more gateway, which end with the scope. `onStatus` runs whenever its link changes; its feed
 * begins once `followed` returns.
 */
export class AddedServices extends Context.Service<
  AddedServices,
  (
    gateway: StoredGateway,
    onStatus: Effect.Effect<void>,
    followed: Effect.Effect<void>
  ) => Effect.Effect<Context.Context<GatewayServices>, never, Scope.Scope>
>()("agent-console/services/gateway/registry/AddedServices") {}

export interface GatewaysShape {
  /** All of them, the primary first, the others in the order in which they were added. */
  readonly list: Effect.Effect<ReadonlyArray<GatewayEntry>>
  /** The same with what their links say about them. */
  readonly live: Effect.Effect<ReadonlyArray<LiveGateway>>
  readonly add: (input: AddGateway) => Effect.Effect<GatewayEntry, GatewayKnown | TooManyGateways | StorageFailure>
  /** A new address or token ends the old connection and opens another one. */
  readonly change: (
    id: string,
    input: ChangeGateway
  ) => Effect.Effect<GatewayEntry, UnknownGateway | PrimaryGateway | TokenNeeded | GatewayKnown | StorageFailure>
  readonly remove: (id: string) => Effect.Effect<void, UnknownGateway | PrimaryGateway | StorageFailure>
  /** Where an added one is, for its relayed connections. */
  readonly target: (id: string) => Effect.Effect<GatewayTarget, UnknownGateway>
  /** The services of one; those of a gateway that is changed or removed end meanwhile. */
  readonly services: (id: string) => Effect.Effect<Context.Context<GatewayServices>, UnknownGateway>
  /** Has a connection that waits for its next attempt try at once. */
  readonly retry: (id: string) => Effect.Effect<void, UnknownGateway>
  /** Milliseconds that a small call takes. */
  readonly probe: (id: string) => Effect.Effect<number, UnknownGateway | GatewayError>
  /** For what has to do with each of them. */
  readonly every: EveryGatewayShape
}

interface Open {
  readonly stored: StoredGateway
  readonly scope: Scope.Closeable
  readonly closed: Deferred.Deferred<void>
  readonly services: Context.Context<GatewayServices>
}

const linked = (id: string, services: Context.Context<GatewayServices>): Omit<LinkedGateway, "activity"> => ({
  id,
  client: Context.get(services, GatewayClient),
  feed: Context.get(services, GatewayFeed)
})

/** The console's gateways: the one of the settings, and those added to it, each with a connection of its own. */
export class Gateways extends Context.Service<Gateways, GatewaysShape>()(
  "agent-console/services/gateway/registry/Gateways"
) {
  static readonly layer = Layer.effect(
    Gateways,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const bus = yield* EventBus
      const make = yield* AddedServices
      const own = yield* Effect.context<GatewayServices>()
      const parent = yield* Effect.scope
      const file = yield* gatewaysFile(settings.svcHome, paths)
      const turn = yield* Semaphore.make(1)
      const isNamed = settings.agentName !== DEFAULT_AGENT_NAME
      const primary: Primary = { name: isNamed ? settings.agentName : DEFAULT_GATEWAY_NAME, url: settings.gatewayUrl }
      const { every, joined, removed } = makeEveryGateway()
      let all: ReadonlyArray<Open> = []

      const entryOf = (
        { id, name, url }: Pick<StoredGateway, "id" | "name" | "url">,
        services: Context.Context<GatewayServices>
      ): Effect.Effect<GatewayEntry> => {
        const client = Context.get(services, GatewayClient)
        return Effect.map(
          Effect.all({ status: client.status, problem: client.problem, connection: client.connection }),
          (facts) => ({ id, name, url, primary: id === PRIMARY, local: isLocal(url), ...entryState(facts) })
        )
      }
      const entry = ({ services, stored }: Open) => entryOf(stored, services)
      const ofPrimary = entryOf({ id: PRIMARY, ...primary }, own)
      const withLink = Effect.fnUntraced(function* (known: GatewayEntry, services: Context.Context<GatewayServices>) {
        const client = Context.get(services, GatewayClient)
        return liveEntry(known, {
          connection: yield* client.latestConnection,
          retryAt: yield* client.retryAt,
          startedAt: yield* client.gatewayStartedAt
        })
      })

      const announce = (action: "added" | "changed" | "state", one: Open) =>
        Effect.tap(entry(one), (gateway) =>
          bus.publish({ event: "gateway.changed", data: { action, id: gateway.id, gateway } })
        )

      const open = Effect.fnUntraced(function* (stored: StoredGateway) {
        const scope = yield* Scope.fork(parent)
        const onStatus = Effect.suspend(() => {
          const one = all.find((other) => other.stored.id === stored.id)
          return one?.scope === scope ? Effect.asVoid(announce("state", one)) : Effect.void
        })
        const followed = yield* Deferred.make<void>()
        const services = yield* Scope.provide(make(stored, onStatus, Deferred.await(followed)), scope)
        const closed = yield* Deferred.make<void>()
        yield* Scope.addFinalizer(scope, Deferred.succeed(closed, undefined))
        yield* joined(linked(stored.id, services), scope)
        yield* Deferred.succeed(followed, undefined)
        const opened: Open = { stored, scope, services, closed }
        return opened
      })
      const close = ({ scope }: Open) => Scope.close(scope, Exit.void)

      const stored = () => all.map((one) => one.stored)
      const save = (next: ReadonlyArray<StoredGateway>) => file.update(() => next)
      const holder = (id: string) => all.find((one) => one.stored.id === id)
      const servicesOf = (id: string) =>
        Effect.suspend(() => {
          const services = id === PRIMARY ? own : holder(id)?.services
          return services === undefined ? Effect.fail(new UnknownGateway({ id })) : Effect.succeed(services)
        })

      yield* joined(linked(PRIMARY, own), parent)
      for (const one of yield* Effect.catch(file.read, ({ message }) =>
        Effect.as(Effect.logError(`The added gateways are left out: ${message}`), [])
      )) {
        all = [...all, yield* open(one)]
      }

      return Gateways.of({
        list: Effect.suspend(() => Effect.all([ofPrimary, ...all.map(entry)])),
        live: Effect.suspend(() =>
          Effect.all([
            Effect.flatMap(ofPrimary, (known) => withLink(known, own)),
            ...all.map((one) => Effect.flatMap(entry(one), (known) => withLink(known, one.services)))
          ])
        ),
        add: Effect.fn("Gateways.add")(
          function* (input) {
            const next = yield* Effect.fromResult(added(stored(), primary, input))
            yield* save([...stored(), next])
            const opened = yield* open(next)
            all = [...all, opened]
            return yield* announce("added", opened)
          },
          turn.withPermit,
          Effect.uninterruptible
        ),
        change: Effect.fn("Gateways.change")(
          function* (id, input) {
            const next = yield* Effect.fromResult(changed(stored(), primary, id, input))
            const before = holder(id)
            if (before === undefined) return yield* new UnknownGateway({ id })
            yield* save(stored().map((one) => (one.id === id ? next : one)))
            const isSame = next.url === before.stored.url && next.token === before.stored.token
            if (!isSame) yield* close(before)
            const after = isSame ? { ...before, stored: next } : yield* open(next)
            all = all.map((one) => (one === before ? after : one))
            return yield* announce("changed", after)
          },
          turn.withPermit,
          Effect.uninterruptible
        ),
        remove: Effect.fn("Gateways.remove")(
          function* (id) {
            const gone = yield* Effect.fromResult(found(stored(), id))
            yield* save(stored().filter((one) => one !== gone))
            const before = holder(id)
            all = all.filter((one) => one !== before)
            if (before !== undefined) yield* close(before)
            yield* removed(id)
            yield* bus.publish({ event: "gateway.changed", data: { action: "removed", id } })
          },
          turn.withPermit,
          Effect.uninterruptible
        ),
        target: (id) =>
          Effect.suspend((): Effect.Effect<GatewayTarget, UnknownGateway> => {
            const one = holder(id)
            return one === undefined
              ? Effect.fail(new UnknownGateway({ id }))
              : Effect.succeed({
                  url: one.stored.url,
                  token: Redacted.make(one.stored.token),
                  wake: Context.get(one.services, LinkWake).wake,
                  gone: Deferred.await(one.closed)
                })
          }),
        services: servicesOf,
        retry: Effect.fn("Gateways.retry")(function* (id) {
          yield* Context.get(yield* servicesOf(id), LinkWake).wake
        }),
        probe: Effect.fn("Gateways.probe")(function* (id) {
          const client = Context.get(yield* servicesOf(id), GatewayClient)
          const [took] = yield* Effect.timed(client.request(SMALL_CALL, {}, Schema.Unknown))
          return Math.round(Duration.toMillis(took))
        }),
        every: { ...every, each: (start) => turn.withPermit(every.each(start)) }
      })
    })
  )
}

/** The targets of the added gateways, and what follows every gateway. */
export const GatewaysReach = Layer.effectContext(
  Effect.map(Gateways, ({ every, target }) =>
    Context.make(GatewayTargets, target).pipe(Context.add(EveryGateway, EveryGateway.of(every)))
  )
)
