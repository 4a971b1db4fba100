import { NodeServices } from "@effect/platform-node"
import { Layer } from "effect"
import { Auth } from "../services/auth/Auth.ts"
import { RevokedSessions } from "../services/auth/RevokedSessions.ts"
import { Board } from "../services/board/Board.ts"
import { BoardRuns } from "../services/board/BoardRuns.ts"
import { DeviceIdentity } from "../services/device/DeviceIdentity.ts"
import { EventBus } from "../services/events/EventBus.ts"
import { GatewayClient } from "../services/gateway/GatewayClient.ts"
import { RequestTrust } from "../services/trust/RequestTrust.ts"
import { Servers } from "./Servers.ts"
import { SqliteLive } from "./Sqlite.ts"

const AuthLayer = Auth.layer.pipe(Layer.provide(RevokedSessions.layer))

const GatewayLayer = GatewayClient.layer.pipe(Layer.provide([EventBus.layer, DeviceIdentity.layer]))

const BoardLayer = Board.layer.pipe(Layer.provideMerge(SqliteLive), Layer.provide(EventBus.layer))

const BoardRunsLayer = BoardRuns.layer.pipe(Layer.provide([BoardLayer, GatewayLayer]))

/** Every service of the console; needs only Settings. */
export const Services = Layer.mergeAll(
  EventBus.layer,
  DeviceIdentity.layer,
  RequestTrust.layer,
  AuthLayer,
  GatewayLayer,
  BoardLayer,
  BoardRunsLayer
).pipe(Layer.provide(NodeServices.layer))

/** The production graph; needs only Settings. */
export const Main = Servers.pipe(Layer.provide(Services))
