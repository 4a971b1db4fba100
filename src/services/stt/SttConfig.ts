import { Context, Effect, Layer } from "effect"
import type { StorageFailure } from "../files/StorageFailure.ts"
import type { LanguageCode } from "../language/languages.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { Settings } from "../settings/Settings.ts"
import type { SttModelId } from "./modelCatalogue.ts"
import { type AvailableModel, type ModelDownload, SttModels } from "./SttModels.ts"
import { type SttChoice, SttSettings } from "./SttSettings.ts"

/** What can be heard and how (SPEC "STT configuration"). */
export interface SttState extends SttChoice {
  readonly language: LanguageCode
  readonly modelReady: boolean
  readonly openaiKeySet: boolean
  readonly replicateKeySet: boolean
  readonly hasGpu: boolean
  readonly availableModels: Readonly<Record<SttModelId, AvailableModel>>
  readonly download: ModelDownload | null
}

/** A change of some of it. */
export interface SttChange extends Partial<SttChoice> {
  readonly language?: LanguageCode
}

export interface SttConfigShape {
  readonly get: Effect.Effect<SttState>
  /** Changes hold at once; a local model that is chosen and not there is downloaded. */
  readonly set: (change: SttChange) => Effect.Effect<SttState, StorageFailure>
}

/** The recogniser is built for processors alone, so no graphics card is ever used, whether there is one or not. */
const USES_GPU = false

/** The configuration of recognition (SPEC "Transcription, language and voice phrases"). */
export class SttConfig extends Context.Service<SttConfig, SttConfigShape>()("agent-console/services/stt/SttConfig") {
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
          if (provider === "local") yield* models.ensure(model)
        }
        return yield* get
      })

      return SttConfig.of({ get, set })
    })
  )
}
