import { Effect } from "effect"
import { UnsupportedAudio } from "../../../services/voice/stt/recording.ts"
import { SttConfig } from "../../../services/voice/stt/SttConfig.ts"
import { Transcription } from "../../../services/voice/stt/Transcription.ts"
import { tellWhenToRetry } from "../../providerErrors.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const SttHandlers = routeHandlers(
  "stt",
  Effect.fn(function* (handlers) {
    const transcription = yield* Transcription
    const config = yield* SttConfig
    return handlers.handleAll({
      transcribe: ({ payload: { file } }) =>
        (typeof file === "string" ? Effect.fail(new UnsupportedAudio()) : transcription.transcribe(file)).pipe(
          Effect.map((text) => ({ text })),
          tellWhenToRetry
        ),
      config: () => config.get,
      configure: ({ payload }) => config.set(payload)
    })
  })
)
