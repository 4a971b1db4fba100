import { Context, Effect, Layer, Path } from "effect"
import { makeJsonFile } from "../files/jsonFile.ts"
import type { StorageFailure } from "../files/StorageFailure.ts"
import { Settings } from "../settings/Settings.ts"
import { changeTtsConfig, StoredTtsConfig, type TtsConfig, wholeTtsConfig } from "./ttsConfig.ts"

export interface TtsSettingsShape {
  readonly get: Effect.Effect<TtsConfig, StorageFailure>
  /** Changes the keys it is given; answers the whole configuration. */
  readonly set: (change: StoredTtsConfig) => Effect.Effect<TtsConfig, StorageFailure>
}

const FILE_NAME = "tts-config.json"

/** Voices and manner of speaking, in `{svc_home}/tts-config.json` (SPEC "TTS configuration"). */
export class TtsSettings extends Context.Service<TtsSettings, TtsSettingsShape>()(
  "agent-console/services/tts/TtsSettings"
) {
  static readonly layer = Layer.effect(
    TtsSettings,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const file = yield* makeJsonFile({
        path: paths.join(settings.svcHome, FILE_NAME),
        what: "the file of speech settings",
        schema: StoredTtsConfig,
        empty: {}
      })
      return TtsSettings.of({
        get: Effect.map(file.read, wholeTtsConfig),
        set: (change) =>
          Effect.map(
            file.update((stored) => changeTtsConfig(stored, change)),
            wholeTtsConfig
          )
      })
    })
  )
}
