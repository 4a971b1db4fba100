import { Context, Effect, Layer, Path, Schema } from "effect"
import { MAX_TTS_VALUE, TtsConfig } from "../../../contract/schema/voice.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"

/** Some keys with their values, as stored. */
const StoredTtsConfig = Schema.Struct({
  alias: Schema.optionalKey(TtsConfig.fields.alias),
  vendor_a: Schema.optionalKey(TtsConfig.fields.vendor_a),
  free: Schema.optionalKey(TtsConfig.fields.free)
})
type StoredTtsConfig = typeof StoredTtsConfig.Type

const SECTION_KEYS = new Map(
  Object.entries(TtsConfig.fields).map(([section, { fields }]) => [section, Object.keys(fields)])
)

const unknownKey = (change: Readonly<Record<string, Readonly<Record<string, string>>>>): string | undefined => {
  for (const [section, values] of Object.entries(change)) {
    const known = SECTION_KEYS.get(section)
    if (known === undefined) return `has sections ${[...SECTION_KEYS.keys()].join(", ")} only`
    if (!Object.keys(values).every((key) => known.includes(key))) return `${section} has keys ${known.join(", ")} only`
  }
  return undefined
}

/** A change of some keys; unknown sections and keys are rejected. */
export const TtsConfigChange = Schema.Record(
  Schema.String,
  Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(MAX_TTS_VALUE)))
).pipe(Schema.check(Schema.makeFilter(unknownKey)), Schema.decodeTo(StoredTtsConfig))

/** The defaults. */
const DEFAULT_TTS_CONFIG = {
  alias: { mode: "custom_voice", speaker: "Serena" },
  vendor_a: { model: "gpt-4o-mini-tts", voice: "alloy" },
  free: { voice: "" }
} as const satisfies TtsConfig

const filled = <A extends Readonly<Record<string, string>>>(section: A): Partial<A> => {
  const kept: Partial<A> = {}
  for (const key in section) if (section[key] !== "") kept[key] = section[key]
  return kept
}

/** The configuration after a change. */
const changeTtsConfig = (stored: StoredTtsConfig, change: StoredTtsConfig): StoredTtsConfig => ({
  alias: filled({ ...stored.alias, ...change.alias }),
  vendor_a: filled({ ...stored.vendor_a, ...change.vendor_a }),
  free: filled({ ...stored.free, ...change.free })
})

/** The stored values over the defaults. */
const wholeTtsConfig = (stored: StoredTtsConfig): TtsConfig => ({
  alias: { ...DEFAULT_TTS_CONFIG.alias, ...stored.alias },
  vendor_a: { ...DEFAULT_TTS_CONFIG.vendor_a, ...stored.vendor_a },
  free: { ...DEFAULT_TTS_CONFIG.free, ...stored.free }
})

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
