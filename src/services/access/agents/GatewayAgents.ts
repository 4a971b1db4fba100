import { Context, Effect, Layer, Schema } from "effect"
import { SERVER_NAME } from "../../../contract/agentSnippets.ts"
import { failure } from "../../../contract/failures.ts"
import type { AddGatewayAgents, GatewayAgentsState } from "../../../contract/schema/access.ts"
import { GatewayClient } from "../../gateway/client/GatewayClient.ts"
import { GatewayError } from "../../gateway/client/GatewayError.ts"
import { linkEnded } from "../../gateway/client/gatewayFailures.ts"
import { isLoopbackGateway } from "../../gateway/client/gatewayTarget.ts"
import { DeviceIdentity } from "../../gateway/device/DeviceIdentity.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { localOrigin } from "../../platform/settings/startRules.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { type AgentNameTaken, AgentTokens, MOST_TOKENS, type TooManyAgentTokens } from "./AgentTokens.ts"
import { entryFor, GatewayConfig, patchOf, readEntry } from "./gatewayEntry.ts"

/** The gateway's generation doesn't support external tools. */
export class GatewayTooOld extends Schema.TaggedError<GatewayTooOld>()("GatewayTooOld", {}) {}

/** The gateway's agents have the tools already. */
export class GatewayAgentsOn extends Schema.TaggedError<GatewayAgentsOn>()("GatewayAgentsOn", {}) {}

/** The gateway has a server of this name that another program added, so it isn't changed. */
export class ServerNameTaken extends Schema.TaggedError<ServerNameTaken>()("ServerNameTaken", {}) {}

/** The explanation of each failure and its remedy, for the page and the command line. */
export const GATEWAY_AGENTS_PROBLEMS = {
  GatewayTooOld: failure("GATEWAY_TOO_OLD_FOR_TOOLS"),
  GatewayAgentsOn: failure("GATEWAY_AGENTS_ON"),
  ServerNameTaken: failure("SERVER_NAME_TAKEN"),
  AgentNameTaken: failure("GATEWAY_TOKEN_EXISTS"),
  TooManyAgentTokens: failure("TOO_MANY_AGENT_TOKENS", { max: MOST_TOKENS })
} as const

type Failure = GatewayError | StoreError | ServerNameTaken | GatewayTooOld

export interface GatewayAgentsShape {
  readonly look: Effect.Effect<GatewayAgentsState, GatewayError | StoreError>
  /** Creates a token named `gateway` and adds the console to the gateway's configuration. */
  readonly add: (
    input: AddGatewayAgents
  ) => Effect.Effect<GatewayAgentsState, Failure | GatewayAgentsOn | AgentNameTaken | TooManyAgentTokens>
  /** Removes the console from the gateway's configuration and revokes the token. */
  readonly remove: Effect.Effect<GatewayAgentsState, Failure>
}

/** The name of the gateway's agents on the board and in the inbox. */
export const GATEWAY_TOKEN_NAME = "gateway"
/** The first wire protocol that supports external tools. */
const FIRST_PROTOCOL = 4
/** The gateway responds only after it has applied the change. */
const PATCH_LIMIT = "30 seconds"
const ABNORMAL_CLOSE = 1006

const Applied = Schema.Struct({ ok: Schema.Literal(true) })

/** The configuration changed between reading and writing it. */
const hasChanged = (error: unknown): boolean => error instanceof GatewayError && error.code === "CONFIG_CHANGED"

/**
 * Gives the gateway's own agents the console's tools. It uses the console's own connection and never the command-line
 * tool, because other users could read the token on the command line.
 */
export class GatewayAgents extends Context.Service<GatewayAgents, GatewayAgentsShape>()(
  "agent-console/services/access/agents/GatewayAgents"
) {
  static readonly layer = Layer.effect(
    GatewayAgents,
    Effect.gen(function* () {
      const settings = yield* Settings
      const gateway = yield* GatewayClient
      const tokens = yield* AgentTokens
      const { deviceId } = yield* DeviceIdentity
      const proposal =
        isLoopbackGateway(settings.gatewayUrl) && settings.port !== 0 ? { address: localOrigin(settings) } : {}

      const current = Effect.gen(function* () {
        const { config, hash } = yield* gateway.request("config.get", {}, GatewayConfig)
        const connection = yield* gateway.connection
        if (connection === undefined) return yield* linkEnded(ABNORMAL_CLOSE)
        if (connection.protocol < FIRST_PROTOCOL) return yield* new GatewayTooOld()
        const entry = config.mcp?.servers?.[SERVER_NAME]
        return { hash, entry, found: readEntry(entry, deviceId) }
      })

      const patch = (params: object) => gateway.request("config.patch", params, Applied, { timeout: PATCH_LIMIT })

      const look = current.pipe(
        Effect.flatMap(({ found }): Effect.Effect<GatewayAgentsState, StoreError> => {
          if (found.kind === "none") return Effect.succeed({ state: "off", ...proposal })
          if (found.kind === "foreign") return Effect.succeed({ state: "taken" })
          const { address } = found
          return Effect.map(tokens.isKnown(found.tokenId), (known) => ({ state: known ? "on" : "revoked", address }))
        }),
        Effect.catchTag("GatewayTooOld", () => Effect.succeed<GatewayAgentsState>({ state: "older" })),
        Effect.withSpan("GatewayAgents.look")
      )

      const add = Effect.fn("GatewayAgents.add")(
        function* ({ address, rights }: AddGatewayAgents) {
          const { found, hash, entry } = yield* current
          if (found.kind === "foreign") return yield* new ServerNameTaken()
          if (found.kind === "own" && (yield* tokens.isKnown(found.tokenId))) return yield* new GatewayAgentsOn()
          const token = yield* tokens.create({ name: GATEWAY_TOKEN_NAME, rights })
          yield* patch(patchOf(hash, entryFor(`${address}${settings.basePath}`, deviceId, token), entry)).pipe(
            // A token that isn't returned to the caller must not stay valid, whether or not the gateway has it.
            Effect.onError(() => Effect.ignore(tokens.remove(token.id)))
          )
          return { state: "on", address } satisfies GatewayAgentsState
        },
        Effect.retry({ times: 2, while: hasChanged })
      )

      const remove = Effect.gen(function* () {
        const { found, hash, entry } = yield* current
        if (found.kind === "foreign") return yield* new ServerNameTaken()
        if (found.kind === "own") {
          yield* patch(patchOf(hash, null, entry))
          yield* Effect.catchTag(tokens.remove(found.tokenId), "AgentTokenNotFound", () => Effect.void)
        }
        return { state: "off", ...proposal } satisfies GatewayAgentsState
      }).pipe(Effect.retry({ times: 2, while: hasChanged }), Effect.withSpan("GatewayAgents.remove"))

      return GatewayAgents.of({ look, add, remove })
    })
  )
}
