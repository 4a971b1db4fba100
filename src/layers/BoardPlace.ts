import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { Effect, Layer } from "effect"
import { gatewayName } from "../services/board/store/ConsoleName.ts"
import { SqliteBoard } from "../services/board/store/sqliteBoard.ts"
import { DeviceIdentity } from "../services/gateway/device/DeviceIdentity.ts"
import { Settings } from "../services/platform/settings/Settings.ts"

/** The board in the console's own file, or in the database that `BOARD_URL` names; only then its client is loaded. */
export const BoardPlace = Layer.unwrap(
  Effect.gen(function* () {
    const { boardUrl, gatewayUrl } = yield* Settings
    if (boardUrl === undefined) return SqliteBoard
    const { deviceId: device } = yield* DeviceIdentity
    const { PostgresBoard } = yield* Effect.promise(() => import("../services/board/store/postgresBoard.ts"))
    const self = {
      device,
      owner: `${device}:${randomUUID()}`,
      name: hostname(),
      gateway: gatewayName(gatewayUrl, hostname())
    }
    return PostgresBoard({ url: boardUrl, self })
  })
)
