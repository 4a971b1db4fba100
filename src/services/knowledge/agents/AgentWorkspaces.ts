import { Cache, Clock, Context, Effect, Layer, Option, Stream, SubscriptionRef } from "effect"
import { GatewayCalls } from "../../gateway/client/GatewayCalls.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { AgentFilesAnswer, AgentsAnswer, agentsOf, type GatewayAgent } from "./gatewayAgents.ts"
import { ownDefault, placeWorkspace } from "./placeWorkspace.ts"
import {
  AgentUnknown,
  defaultWorkspace,
  type Workspace,
  type WorkspaceForbidden,
  type WorkspaceMissing
} from "./Workspace.ts"

export type WorkspaceError = AgentUnknown | WorkspaceForbidden | WorkspaceMissing | GatewayError

/** An agent and the state of its workspace. */
export interface AgentEntry {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  /** `new`: its folder doesn't exist yet and the first save creates it. `unavailable`: `details` says why. */
  readonly workspace: "ready" | "new" | "unavailable"
  readonly details?: string
}

export interface AgentWorkspacesShape {
  /** The gateway's agents, the default one first; the last known list while the gateway can't be reached. */
  readonly list: Effect.Effect<ReadonlyArray<AgentEntry>, GatewayError>
  /** An agent's workspace; the default agent's if no id is given, which doesn't need the gateway. */
  readonly of: (id: string | undefined) => Effect.Effect<Workspace, WorkspaceError>
  /** All known agents' workspace folders. */
  readonly roots: Effect.Effect<ReadonlyArray<string>>
  /** The non-default agents' workspaces, emitted again whenever agents are added, removed or moved. */
  readonly others: Stream.Stream<ReadonlyArray<Workspace>>
}

const CALL_LIMIT = { timeout: "5 seconds" } as const
/** How long the gateway's answer is considered current, in milliseconds. */
const FRESH_MS = 10_000
/** Shortest time between two requests when looking for an unknown agent. */
const ASKED_FOR = "1 second"
/** How many agents to ask about at once. */
const CONCURRENCY = 4
/** The maximum number of agents whose files are watched. */
const MAX_WATCHED = 32
/** Gateway events after which its agents may have changed; the first is sent every minute. */
const MAY_HAVE_CHANGED = ["health", "config.changed"]

const sameRoots = (left: ReadonlyArray<Workspace>, right: ReadonlyArray<Workspace>): boolean =>
  left.length === right.length &&
  left.every(({ agent, root }, index) => agent === right[index]?.agent && root === right[index]?.root)

/** The folders with each agent's memory, documents and files, according to the gateway. */
export class AgentWorkspaces extends Context.Service<AgentWorkspaces, AgentWorkspacesShape>()(
  "agent-console/services/knowledge/agents/AgentWorkspaces"
) {
  static readonly layer = Layer.effect(
    AgentWorkspaces,
    Effect.gen(function* () {
      const settings = yield* Settings
      const gateway = yield* GatewayCalls
      const bus = yield* EventBus
      const standard = defaultWorkspace(settings)
      const said = yield* SubscriptionRef.make<ReadonlyArray<GatewayAgent> | undefined>(undefined)
      let freshUntil = 0

      /** The older generation returns an agent's workspace only with the list of the agent's files. */
      const withWorkspace = (agent: GatewayAgent) =>
        agent.workspace !== undefined
          ? Effect.succeed(agent)
          : gateway.request("agents.files.list", { agentId: agent.id }, AgentFilesAnswer, CALL_LIMIT).pipe(
              Effect.map(({ workspace }): GatewayAgent => ({ ...agent, workspace })),
              Effect.orElseSucceed(() => agent)
            )

      const ask = Effect.gen(function* () {
        const answer = yield* gateway.request("agents.list", {}, AgentsAnswer, CALL_LIMIT)
        const listed = yield* Effect.forEach(agentsOf(answer), withWorkspace, { concurrency: CONCURRENCY })
        const agents = yield* ownDefault(settings, listed)
        yield* SubscriptionRef.set(said, agents)
        return agents
      }).pipe(
        Effect.ensuring(
          Effect.map(Clock.currentTimeMillis, (now) => {
            freshUntil = now + FRESH_MS
          })
        )
      )

      const asked = yield* Cache.makeWith((_: "agents") => ask, { capacity: 1, timeToLive: () => ASKED_FOR })
      const orLastWord = (question: Effect.Effect<ReadonlyArray<GatewayAgent>, GatewayError>) =>
        Effect.catch(question, (error) =>
          Effect.flatMap(SubscriptionRef.get(said), (agents) =>
            agents === undefined ? Effect.fail(error) : Effect.succeed(agents)
          )
        )
      const latest = orLastWord(Cache.get(asked, "agents"))
      const current = Effect.gen(function* () {
        const agents = yield* SubscriptionRef.get(said)
        const isFresh = (yield* Clock.currentTimeMillis) < freshUntil
        return agents !== undefined && isFresh ? agents : yield* latest
      })

      const place = (agent: GatewayAgent, index: number) => placeWorkspace(settings, agent, index <= MAX_WATCHED)

      const entryOf = (agent: GatewayAgent, index: number) =>
        place(agent, index).pipe(
          Effect.map(({ exists }) => ({ workspace: exists ? ("ready" as const) : ("new" as const) })),
          Effect.catch(({ message }) => Effect.succeed({ workspace: "unavailable" as const, details: message })),
          Effect.map((found): AgentEntry => ({ id: agent.id, name: agent.name, isDefault: agent.isDefault, ...found }))
        )

      const of = Effect.fn("AgentWorkspaces.of")(function* (id: string | undefined) {
        if (id === undefined) return standard
        const find = (agents: ReadonlyArray<GatewayAgent>) => agents.findIndex((agent) => agent.id === id)
        const known = yield* current
        const agents = find(known) === -1 ? yield* latest : known
        const index = find(agents)
        const agent = agents[index]
        if (agent === undefined) return yield* new AgentUnknown({ id })
        return (yield* place(agent, index)).workspace
      })

      /** The usable workspaces; the agent's page shows the problem with any other. */
      const usable = (agents: ReadonlyArray<GatewayAgent>) =>
        Effect.forEach(agents, (agent, index) =>
          place(agent, index).pipe(
            Effect.map(({ workspace }) => workspace),
            Effect.option
          )
        ).pipe(Effect.map((found) => found.flatMap(Option.toArray)))

      const mayHaveChanged = Stream.unwrap(
        Effect.gen(function* () {
          const ofGateway = Stream.fromSubscription(yield* gateway.events).pipe(
            Stream.filter(({ event }) => MAY_HAVE_CHANGED.includes(event))
          )
          const ofLink = Stream.fromSubscription(yield* bus.subscribe).pipe(
            Stream.filter(({ event, data }) => event === "status.changed" && "gateway" in data && data.gateway === "ok")
          )
          return Stream.merge(Stream.make("begin"), Stream.merge(ofGateway, ofLink))
        })
      )
      const others = mayHaveChanged.pipe(
        Stream.mapEffect(() => Effect.ignore(Cache.get(asked, "agents"))),
        Stream.drain,
        Stream.merge(SubscriptionRef.changes(said)),
        Stream.mapEffect((agents) => usable(agents ?? [])),
        Stream.map((workspaces) => workspaces.filter(({ agent, isWatched }) => agent !== undefined && isWatched)),
        Stream.changesWith(sameRoots)
      )

      return AgentWorkspaces.of({
        list: Effect.flatMap(latest, (agents) => Effect.forEach(agents, entryOf)),
        of,
        roots: current.pipe(
          Effect.flatMap(usable),
          Effect.map((workspaces) => workspaces.map(({ root }) => root)),
          Effect.orElseSucceed(() => [standard.root])
        ),
        others
      })
    })
  )
}
