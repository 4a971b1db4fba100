import { Context, Effect, Layer, Ref, Schema, Semaphore } from "effect"
import { SttModelId, type SttProvider } from "../../../contract/schema/voice.ts"
import { EnvFile } from "../../platform/settings/EnvFile.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/StorageFailure.ts"

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
