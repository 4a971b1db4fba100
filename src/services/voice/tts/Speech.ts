import { Clock, Context, Effect, Exit, FiberSet, Layer, Semaphore } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { failure } from "../../../contract/failures.ts"
import { mayReach, outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import type { StorageFailure } from "../../platform/storage/fileErrors.ts"
import { VoiceLanguage } from "../language/VoiceLanguage.ts"
import { type ProviderError, ProviderFailed } from "../vendors/vendorCall.ts"
import { type AudioReplay, AudioStore, makeAudioReplay } from "./AudioStore.ts"
import { planKey, type SpeechPlan, type SpeechRequest, speakerAddress, speechPlan } from "./speechPlan.ts"
import { TtsSettings } from "./TtsSettings.ts"

export interface SpeechShape {
  /**
   * The text as MP3, streamed from the first bytes; fails before that if the provider can't speak it. Repeated and
   * simultaneous requests for the same text share the same audio.
   */
  readonly speak: (request: SpeechRequest) => Effect.Effect<AudioReplay, ProviderError | StorageFailure>
}

const SILENT_DEMO = new ProviderFailed(failure("VOICE_OFF_IN_DEMO"))

/** Maximum audio cached in memory, in bytes. */
const CACHE_BYTES = 64 * 1024 * 1024
/** Texts synthesised at the same time; others wait. */
const AT_ONCE = 8

/** Text-to-speech with four providers. */
export class Speech extends Context.Service<Speech, SpeechShape>()("agent-console/services/voice/tts/Speech") {
  static readonly layer = Layer.effect(
    Speech,
    Effect.gen(function* () {
      const settings = yield* Settings
      const config = yield* TtsSettings
      const language = yield* VoiceLanguage
      const client = yield* outgoingHttp
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
      const flights = yield* FiberSet.make()
      const places = yield* Semaphore.make(AT_ONCE)
      const store = new AudioStore({
        entries: settings.ttsCacheMax,
        bytes: CACHE_BYTES,
        ttlMs: settings.ttsCacheTtlMs
      })

      const begin = Effect.fnUntraced(function* (key: string, plan: SpeechPlan) {
        const { replay, write } = makeAudioReplay((emit) =>
          Effect.gen(function* () {
            const { synthesise } = yield* Effect.promise(() => import("./synthesise.ts"))
            yield* synthesise(client, settings, plan, emit)
          }).pipe(places.withPermit, Effect.provideContext(platform))
        )
        store.begin(key, replay)
        const kept = write.pipe(
          Effect.onExit((exit) =>
            Effect.map(Clock.currentTimeMillis, (now) =>
              Exit.isSuccess(exit) ? store.finish(key, now) : store.drop(key)
            )
          ),
          Effect.ignore,
          // Forked uninterruptibly, except by the console's shutdown.
          Effect.interruptible
        )
        // Synthesis continues after its first reader leaves, because others may have joined and the next request finds
        // the complete audio.
        yield* FiberSet.run(flights, kept)
        return replay
      }, Effect.uninterruptible)

      const speak = Effect.fn("Speech.speak")(function* (request: SpeechRequest) {
        const plan = yield* Effect.fromResult(speechPlan(request, settings, yield* config.get, yield* language.get))
        if (!mayReach(settings, speakerAddress(settings, plan.provider))) return yield* SILENT_DEMO
        const key = planKey(plan)
        const replay = store.get(key, yield* Clock.currentTimeMillis) ?? (yield* begin(key, plan))
        yield* replay.begun
        return replay
      })

      return Speech.of({ speak })
    })
  )
}
