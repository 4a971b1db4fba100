import { Effect, FileSystem, Layer } from "effect"
import { FoundToken, makeFoundToken } from "../services/gateway/client/FoundToken.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { loadDiscoveredSettingsOf } from "./Config.ts"

/** Rereads the settings and the gateway's own file; a token for another address than the one in use is ignored. */
export const FoundTokenLive = Layer.effect(
  FoundToken,
  Effect.gen(function* () {
    const { gatewayUrl, installDir, isDemo } = yield* Settings
    const fs = yield* FileSystem.FileSystem
    const look = loadDiscoveredSettingsOf(installDir).pipe(
      Effect.map(({ settings }) => (settings.gatewayUrl === gatewayUrl ? settings.gatewayToken : undefined)),
      Effect.orElseSucceed(() => undefined),
      Effect.provideService(FileSystem.FileSystem, fs)
    )
    return yield* makeFoundToken(isDemo ? Effect.undefined : look)
  })
)
