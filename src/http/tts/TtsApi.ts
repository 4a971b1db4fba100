import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TTS_PROVIDERS } from "../../services/tts/speechPlan.ts"
import { TtsConfig, TtsConfigChange } from "../../services/tts/ttsConfig.ts"
import { ProviderBusyError, providerFailedError } from "../providerErrors.ts"
import { StorageFailureError } from "../storageErrors.ts"

const Text = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(5000),
  Schema.makeFilter((text: string) => (text.trim() === "" ? "must not be blank" : undefined))
)
const Name = (maximum: number) =>
  Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maximum)))

/** Speech from text (SPEC "Text-to-speech"). */
export class TtsApi extends HttpApiGroup.make("tts")
  .add(
    HttpApiEndpoint.post("speak", "/api/tts", {
      payload: Schema.Struct({
        text: Text,
        provider: Schema.optionalKey(
          Schema.Literals(TTS_PROVIDERS).annotate({ message: `must be one of: ${TTS_PROVIDERS.join(", ")}` })
        ),
        voice: Name(2000),
        model: Name(200)
      }),
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/mpeg" }),
      error: [providerFailedError("synthesis_failed"), ProviderBusyError, StorageFailureError]
    }).annotate(OpenApi.Summary, "Speak a text of at most 5,000 characters, as MP3"),
    HttpApiEndpoint.get("config", "/api/tts/config", { success: TtsConfig, error: StorageFailureError }).annotate(
      OpenApi.Summary,
      "Voices and manner of speaking"
    ),
    HttpApiEndpoint.put("configure", "/api/tts/config", {
      payload: TtsConfigChange,
      success: TtsConfig,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Change some keys; an empty text puts one back to its default")
  )
  .annotate(OpenApi.Title, "Text-to-speech") {}
