import { Context, Effect, Layer } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { GatewayClient } from "../../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import { GatewayTools, type GatewayToolsShape } from "../../gateway/client/GatewayTools.ts"
import { Gateways } from "../../gateway/registry/Gateways.ts"
import { UnknownGateway } from "../../gateway/registry/gatewayEntry.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { PathLocks } from "../../platform/storage/PathLocks.ts"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { AgentsAnswer, agentsOf, type GatewayAgent, withDefault } from "../agents/gatewayAgents.ts"
import { AgentUnknown, defaultWorkspace } from "../agents/Workspace.ts"
import { gatewayFiles, type ShownFiles } from "../files/gatewayFiles.ts"
import { type AgentTexts, localTexts } from "./AgentTexts.ts"
import { gatewayTexts } from "./gatewayTexts.ts"

/** The owner of texts: an agent, by default the gateway's default agent, and a gateway, by default the primary one. */
export interface TextsOwner {
  readonly agent?: string
  readonly gateway?: string
}

/** An agent of an added gateway. */
export interface GatewayOwner extends TextsOwner {
  readonly gateway: string
}

export interface OwnTexts {
  readonly texts: AgentTexts
  /** The tools of the agent's gateway. */
  readonly tools: GatewayToolsShape
}

export interface WorkspaceTextsShape {
  /** The texts of the primary gateway's default agent, which need no request to a gateway. */
  readonly standard: OwnTexts
  readonly of: (owner: TextsOwner) => Effect.Effect<OwnTexts, WorkspaceError | UnknownGateway>
  /** The files of an agent of an added gateway, read-only. */
  readonly filesOf: (owner: GatewayOwner) => Effect.Effect<ShownFiles, WorkspaceError | UnknownGateway>
  /** The agents of an added gateway, the default one first. */
  readonly agentsOf: (gateway: string) => Effect.Effect<ReadonlyArray<GatewayAgent>, GatewayError | UnknownGateway>
}

const LIMIT = { timeout: "5 seconds" } as const

const local = Effect.gen(function* () {
  const workspaces = yield* AgentWorkspaces
  const tools = yield* GatewayTools
  const make = yield* localTexts
  const standard: OwnTexts = { texts: make(defaultWorkspace(yield* Settings)), tools }
  const of = (agent: string | undefined) =>
    agent === undefined
      ? Effect.succeed(standard)
      : Effect.map(workspaces.of(agent), (workspace): OwnTexts => ({ texts: make(workspace), tools }))
  return { standard, of }
})

/** Access to agents' texts: in folders on this machine, or through the methods of an added gateway. */
export class WorkspaceTexts extends Context.Service<WorkspaceTexts, WorkspaceTextsShape>()(
  "agent-console/services/knowledge/texts/WorkspaceTexts"
) {
  /** The texts on this machine only. */
  static readonly here = Layer.effect(
    WorkspaceTexts,
    Effect.map(local, ({ of, standard }) =>
      WorkspaceTexts.of({
        standard,
        of: ({ agent, gateway = PRIMARY }) =>
          gateway === PRIMARY ? of(agent) : Effect.fail(new UnknownGateway({ id: gateway })),
        filesOf: ({ gateway }) => Effect.fail(new UnknownGateway({ id: gateway })),
        agentsOf: (id) => Effect.fail(new UnknownGateway({ id }))
      })
    )
  )

  static readonly layer = Layer.effect(
    WorkspaceTexts,
    Effect.gen(function* () {
      const gateways = yield* Gateways
      const locks = yield* PathLocks
      const { of, standard } = yield* local

      const agents = Effect.fnUntraced(function* (gateway: string) {
        const client = Context.get(yield* gateways.services(gateway), GatewayClient)
        const answer = yield* client.request("agents.list", {}, AgentsAnswer, LIMIT)
        return withDefault(agentsOf(answer), answer.defaultId)
      })

      const there = Effect.fn("WorkspaceTexts.there")(function* ({ agent: asked, gateway }: GatewayOwner) {
        const services = yield* gateways.services(gateway)
        const known = yield* agents(gateway)
        const agent = known.find(({ id, isDefault }) => (asked === undefined ? isDefault : id === asked))
        if (agent === undefined) return yield* new AgentUnknown({ id: asked ?? "" })
        return { gatewayId: gateway, agentId: agent.id, client: Context.get(services, GatewayClient), services }
      })
      const textsThere = (owner: GatewayOwner) =>
        Effect.map(
          there(owner),
          ({ services, ...place }): OwnTexts => ({
            texts: gatewayTexts({ ...place, locks }),
            tools: Context.get(services, GatewayTools)
          })
        )

      return WorkspaceTexts.of({
        standard,
        of: ({ gateway = PRIMARY, ...owner }) =>
          gateway === PRIMARY ? of(owner.agent) : textsThere({ ...owner, gateway }),
        filesOf: (owner) => Effect.map(there(owner), ({ agentId, client }) => gatewayFiles(client, agentId)),
        agentsOf: agents
      })
    })
  )
}
