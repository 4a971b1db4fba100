import { Context, Effect, Layer, Ref, Semaphore } from "effect"
import type { LanguageCode, VoiceGender } from "../../../contract/schema/voice.ts"
import { EnvFile } from "../../platform/settings/EnvFile.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/StorageFailure.ts"
import { factsOf } from "./languages.ts"

/** The current language and voice gender. */
export interface VoiceChoice {
  readonly language: LanguageCode
  readonly edgeVoiceGender: VoiceGender
}

export interface VoiceLanguageShape {
  readonly get: Effect.Effect<VoiceChoice>
  /** Changes take effect at once and at every later start (SVC_LANGUAGE and EDGE_VOICE_GENDER in `.env`). */
  readonly set: (change: Partial<VoiceChoice>) => Effect.Effect<VoiceChoice, StorageFailure>
}

/** The voice language, one for speaking, listening and phrases. */
export class VoiceLanguage extends Context.Service<VoiceLanguage, VoiceLanguageShape>()(
  "agent-console/services/voice/language/VoiceLanguage"
) {
  static readonly layer = Layer.effect(
    VoiceLanguage,
    Effect.gen(function* () {
      const settings = yield* Settings
      const env = yield* EnvFile
      const choice = yield* Ref.make<VoiceChoice>({
        language: factsOf(settings.language).code,
        edgeVoiceGender: settings.edgeVoiceGender
      })
      const oneByOne = yield* Semaphore.make(1)

      const set = Effect.fn("VoiceLanguage.set")(function* (change: Partial<VoiceChoice>) {
        const next = { ...(yield* Ref.get(choice)), ...change }
        yield* env.set({ SVC_LANGUAGE: next.language, EDGE_VOICE_GENDER: next.edgeVoiceGender })
        yield* Ref.set(choice, next)
        return next
      }, oneByOne.withPermit)

      return VoiceLanguage.of({ get: Ref.get(choice), set })
    })
  )
}
