import { Clock, Effect, Option } from "effect"
import { Version } from "../../contract/schema/machine.ts"
import { Auth } from "../../services/access/auth/Auth.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { BoardStore } from "../../services/board/store/BoardStore.ts"
import { GatewayClient } from "../../services/gateway/client/GatewayClient.ts"
import { gatewaySocketUrl } from "../../services/gateway/client/gatewayTarget.ts"
import { Gateways } from "../../services/gateway/registry/Gateways.ts"
import { Doctor } from "../../services/machine/doctor/Doctor.ts"
import { UpdateCheck } from "../../services/machine/update/UpdateCheck.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { Sqlite } from "../../services/platform/sqlite/Sqlite.ts"
import { makeStoreReady } from "../../services/platform/sqlite/storeReady.ts"
import { packageInfo } from "../../services/platform/version/packageInfo.ts"
import { routeHandlers } from "../Api.ts"
import { keptAnswer } from "../apiResponse.ts"

/** How long to wait for the gateway's state. */
const PROBE_WITHIN = "3 seconds"

export const SystemHandlers = routeHandlers(
  "system",
  Effect.fn(function* (handlers) {
    const settings = yield* Settings
    const gateway = yield* GatewayClient
    const gateways = yield* Gateways
    const auth = yield* Auth
    const trust = yield* RequestTrust
    const updates = yield* UpdateCheck
    const boardStore = yield* BoardStore
    const board = boardStore.shared
    const storeReady = yield* makeStoreReady
    const { setAside } = (yield* Sqlite).state
    const database =
      setAside === undefined ? {} : { database: `was damaged and replaced: the old file is next to it as ${setAside}` }
    // A monotonic clock, because the machine's may be years off when the console starts.
    const clock = yield* Clock.Clock
    const startedAt = clock.monotonicTimeNanosUnsafe()

    const version = keptAnswer(Version, (own: typeof packageInfo) => ({ version: own.version, name: own.name }))
    const gatewayState = gateway.status.pipe(
      Effect.timeoutOption(PROBE_WITHIN),
      Effect.map((status) => (Option.isSome(status) ? status.value.gateway : "unreachable"))
    )

    return handlers.handleAll({
      health: Effect.fn("system.health")(function* () {
        const state = yield* gatewayState
        const uptime = Number((clock.monotonicTimeNanosUnsafe() - startedAt) / 1_000_000n) / 1000
        const shared = board === undefined ? {} : { board: (yield* board.problem) ?? "ok" }
        return { status: "ok" as const, uptime, gateway: state, ...database, ...shared }
      }),
      alive: () => Effect.succeed({ status: "ok" as const }),
      ready: Effect.fn("system.ready")(function* () {
        const store = yield* storeReady
        const isReadable = yield* boardStore
          .read((db) => db.generation)
          .pipe(
            Effect.as(true),
            Effect.orElseSucceed(() => false)
          )
        const checks = [
          { name: "store" as const, ok: store, required: true },
          // Everything else works without a board that several consoles share.
          { name: "board" as const, ok: isReadable, required: board === undefined },
          { name: "gateway" as const, ok: (yield* gatewayState) === "ok", required: false }
        ]
        return checks.every(({ ok, required }) => ok || !required)
          ? { status: "ok" as const, checks }
          : { status: "unavailable" as const, checks }
      }),
      version: () => Effect.succeed(version(packageInfo)),
      versionCheck: () => updates.check,
      serverInfo: Effect.fn("system.serverInfo")(function* () {
        return {
          serverTime: yield* Clock.currentTimeMillis,
          gatewayStartedAt: (yield* gateway.gatewayStartedAt) ?? null,
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          agentName: settings.agentName
        }
      }),
      connectDefaults: Effect.fn("system.connectDefaults")(function* ({ request }) {
        const peer = Option.getOrUndefined(request.peerAddress)
        const isTrusted =
          trust.isLocal({ peer, headers: request.headers }) || (yield* auth.hasSession(request.headers.cookie))
        const all = yield* gateways.list
        return {
          wsUrl: gatewaySocketUrl(settings.gatewayUrl),
          token: null,
          agentName: settings.agentName,
          authEnabled: auth.enabled,
          serverSideAuth: settings.gatewayToken !== undefined && isTrusted,
          ...(all.length === 1 || !isTrusted ? {} : { gateways: all.map(({ id, name }) => ({ id, name })) })
        }
      })
    })
  })
)

export const DoctorHandlers = routeHandlers(
  "doctor",
  Effect.fn(function* (handlers) {
    const doctor = yield* Doctor
    return handlers.handleAll({ examine: () => Effect.map(doctor.examine, (checks) => ({ checks })) })
  })
)
