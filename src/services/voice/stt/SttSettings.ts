import { Context, Effect, Layer, Ref, Schema, Semaphore } from "effect"
import { SttModelId, type SttProvider } from "../../../contract/schema/voice.ts"
import { EnvFile } from "../../platform/settings/EnvFile.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"

/** Whether a model is multilingual or English-only. */
export const isMultilingual = (model: string): boolean => !model.endsWith(".en")

/** Exact bytes and SHA-256 of a model's file. */
export interface ModelFile {
  readonly bytes: number
  readonly sha256: string
}

/** The files of the models as whisper.cpp's project publishes them. */
export const ModelFiles = Context.Reference<Readonly<Record<SttModelId, ModelFile>>>(
  "agent-console/services/voice/stt/ModelFiles",
  {
    defaultValue: () => ({
      tiny: { bytes: 77_691_713, sha256: "be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21" },
      base: { bytes: 147_951_465, sha256: "60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe" },
      small: { bytes: 487_601_967, sha256: "1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b" },
      "tiny.en": { bytes: 77_704_715, sha256: "921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f" },
      "base.en": { bytes: 147_964_211, sha256: "a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002" },
      "small.en": { bytes: 487_614_201, sha256: "c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d" }
    })
  }
)

/** Sizes for display. */
export const MODEL_SIZES: Readonly<Record<SttModelId, string>> = {
  tiny: "75 MB",
  base: "142 MB",
  small: "466 MB",
  "tiny.en": "75 MB",
  "base.en": "142 MB",
  "small.en": "466 MB"
}

/** A model's file name, both locally and on the download server. */
export const modelFileName = (model: SttModelId): string => `ggml-${model}.bin`

/** The current recognition settings. */
export interface SttChoice {
  readonly provider: SttProvider
  readonly model: SttModelId
}

export interface SttSettingsShape {
  readonly get: Effect.Effect<SttChoice>
  /** Changes take effect at once and at every later start (STT_PROVIDER and STT_MODEL in `.env`). */
  readonly set: (change: Partial<SttChoice>) => Effect.Effect<SttChoice, StorageFailure>
}

const isModel = Schema.is(SttModelId)

/** The settings of speech recognition. */
export class SttSettings extends Context.Service<SttSettings, SttSettingsShape>()(
  "agent-console/services/voice/stt/SttSettings"
) {
  static readonly layer = Layer.effect(
    SttSettings,
    Effect.gen(function* () {
      const settings = yield* Settings
      const env = yield* EnvFile
      const choice = yield* Ref.make<SttChoice>({
        provider: settings.sttProvider,
        model: isModel(settings.sttModel) ? settings.sttModel : "tiny"
      })
      const oneByOne = yield* Semaphore.make(1)

      const set = Effect.fn("SttSettings.set")(function* (change: Partial<SttChoice>) {
        const next = { ...(yield* Ref.get(choice)), ...change }
        yield* env.set({ STT_PROVIDER: next.provider, STT_MODEL: next.model })
        yield* Ref.set(choice, next)
        return next
      }, oneByOne.withPermit)

      return SttSettings.of({ get: Ref.get(choice), set })
    })
  )
}
