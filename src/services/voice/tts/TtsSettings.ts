import { Context, Effect, Layer, Path } from "effect"
import type { TtsConfig } from "../../../contract/schema/voice.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"
import type { StorageFailure } from "../../platform/storage/StorageFailure.ts"
import { changeTtsConfig, StoredTtsConfig, wholeTtsConfig } from "./ttsConfig.ts"

export interface TtsSettingsShape {
  readonly get: Effect.Effect<TtsConfig, StorageFailure>
  /** Changes the given keys and returns the whole configuration. */
  readonly set: (change: StoredTtsConfig) => Effect.Effect<TtsConfig, StorageFailure>
}

const FILE_NAME = "tts-config.json"

/** Voices and speaking styles, in `{svc_home}/tts-config.json`. */
export class TtsSettings extends Context.Service<TtsSettings, TtsSettingsShape>()(
  "agent-console/services/voice/tts/TtsSettings"
) {
  static readonly layer = Layer.effect(
    TtsSettings,
    Effect.gen(function* () {
      const settings = yield* Settings
      const paths = yield* Path.Path
      const file = yield* makeJsonFile({
        path: paths.join(settings.svcHome, FILE_NAME),
        what: "the speech settings file",
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
