import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SttConfig } from "../../services/stt/SttConfig.ts"
import { Transcription } from "../../services/stt/Transcription.ts"
import { Api } from "../Api.ts"
import { tellWhenToRetry } from "../providerErrors.ts"

export const SttHandlers = HttpApiBuilder.group(
  Api,
  "stt",
  Effect.fn(function* (handlers) {
    const transcription = yield* Transcription
    const config = yield* SttConfig
    return handlers.handleAll({
      transcribe: ({ payload: { file } }) =>
        transcription.transcribe(file).pipe(
          Effect.map((text) => ({ text })),
          tellWhenToRetry
        ),
      config: () => config.get,
      configure: ({ payload }) => config.set(payload)
    })
  })
)
