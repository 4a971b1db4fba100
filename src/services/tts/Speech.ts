import { Clock, Context, Effect, Exit, FiberSet, Layer, Semaphore } from "effect"
import { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import type { StorageFailure } from "../files/StorageFailure.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { Settings } from "../settings/Settings.ts"
import type { ProviderError } from "../vendors/vendorErrors.ts"
import { AudioStore } from "./AudioStore.ts"
import { type AudioTrail, makeAudioTrail } from "./audioTrail.ts"
import { planKey, type SpeechPlan, type SpeechRequest, speechPlan } from "./speechPlan.ts"
import { TtsSettings } from "./TtsSettings.ts"

export interface SpeechShape {
  /**
   * The text as MP3, from the first bytes on; fails before them when the provider cannot speak it. The same words again,
   * also at the same time, are made once (SPEC "Text-to-speech").
   */
  readonly speak: (request: SpeechRequest) => Effect.Effect<AudioTrail, ProviderError | StorageFailure>
}

/** Bytes of audio kept in memory at most. */
const CACHE_BYTES = 64 * 1024 * 1024
/** Texts that are made at the same time; others wait. */
const AT_ONCE = 8

/** Speech from text by four providers (SPEC "Text-to-speech"). */
export class Speech extends Context.Service<Speech, SpeechShape>()("agent-console/services/tts/Speech") {
  static readonly layer = Layer.effect(
    Speech,
    Effect.gen(function* () {
      const settings = yield* Settings
      const config = yield* TtsSettings
      const language = yield* VoiceLanguage
      const client = yield* HttpClient.HttpClient
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
      const flights = yield* FiberSet.make()
      const places = yield* Semaphore.make(AT_ONCE)
      const store = new AudioStore({
        entries: settings.ttsCacheMax,
        bytes: CACHE_BYTES,
        ttlMs: settings.ttsCacheTtlMs
      })

      const begin = Effect.fnUntraced(function* (key: string, plan: SpeechPlan) {
        const { trail, write } = makeAudioTrail((emit) =>
          Effect.gen(function* () {
            const { synthesise } = yield* Effect.promise(() => import("./synthesise.ts"))
            yield* synthesise(client, settings, plan, emit)
          }).pipe(places.withPermit, Effect.provideContext(platform))
        )
        store.begin(key, trail)
        const kept = write.pipe(
          Effect.onExit((exit) =>
            Effect.map(Clock.currentTimeMillis, (now) =>
              Exit.isSuccess(exit) ? store.finish(key, now) : store.drop(key)
            )
          ),
          Effect.ignore,
          // Forked where nothing may interrupt; the end of the console has to.
          Effect.interruptible
        )
        // It ends by itself and not with its first reader: others may have come, and the next one finds it whole.
        yield* FiberSet.run(flights, kept)
        return trail
      }, Effect.uninterruptible)

      const speak = Effect.fn("Speech.speak")(function* (request: SpeechRequest) {
        const plan = yield* Effect.fromResult(speechPlan(request, settings, yield* config.get, yield* language.get))
        const key = planKey(plan)
        const trail = store.get(key, yield* Clock.currentTimeMillis) ?? (yield* begin(key, plan))
        yield* trail.begun
        return trail
      })

      return Speech.of({ speak })
    })
  )
}
