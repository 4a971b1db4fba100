import { Context, Effect, Layer } from "effect"
import type { LanguageCode, SttConfig as SttState } from "../../../contract/schema/voice.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { SttModels } from "./SttModels.ts"
import { type SttChoice, SttSettings } from "./SttSettings.ts"

/** A partial change. */
export interface SttChange extends Partial<SttChoice> {
  readonly language?: LanguageCode
}

export interface SttConfigShape {
  readonly get: Effect.Effect<SttState>
  /** Applies changes at once, and downloads a local model that is named and missing. */
  readonly set: (change: SttChange) => Effect.Effect<SttState, StorageFailure>
}

/** The recogniser is CPU-only, so a graphics card is never used. */
const USES_GPU = false

/** The configuration of recognition. */
export class SttConfig extends Context.Service<SttConfig, SttConfigShape>()(
  "agent-console/services/voice/stt/SttConfig"
) {
  static readonly layer = Layer.effect(
    SttConfig,
    Effect.gen(function* () {
      const settings = yield* Settings
      const language = yield* VoiceLanguage
      const stt = yield* SttSettings
      const models = yield* SttModels

      const get = Effect.gen(function* () {
        const choice = yield* stt.get
        const availableModels = yield* models.available
        return {
          ...choice,
          language: (yield* language.get).language,
          modelReady: availableModels[choice.model].ready,
          openaiKeySet: settings.vendorAKey !== undefined,
          replicateKeySet: settings.vendorBToken !== undefined,
          hasGpu: USES_GPU,
          availableModels,
          download: yield* models.download
        }
      })

      const set = Effect.fn("SttConfig.set")(function* ({ language: code, ...choice }: SttChange) {
        if (code !== undefined) yield* language.set({ language: code })
        if (choice.provider !== undefined || choice.model !== undefined) {
          const { provider, model } = yield* stt.set(choice)
          // A change of the provider alone doesn't request a download.
          if (provider === "local" && choice.model !== undefined) yield* models.ensure(model)
        }
        return yield* get
      })

      return SttConfig.of({ get, set })
    })
  )
}
