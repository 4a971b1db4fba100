import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TtsConfig, TtsProvider } from "../../../contract/schema/voice.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { TtsConfigChange } from "../../../services/voice/tts/TtsSettings.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { ProviderBusyError, providerFailedError, StorageFailureError } from "../../serviceErrors.ts"

const Text = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(5000),
  Schema.makeFilter((text: string) => (text.trim() === "" ? "must not be blank" : undefined))
)
const Name = (maximum: number) =>
  Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maximum)))

/** Text-to-speech. */
export class TtsApi extends HttpApiGroup.make("tts")
  .add(
    HttpApiEndpoint.post("speak", "/api/tts", {
      payload: Schema.Struct({
        text: Text,
        provider: Schema.optionalKey(TtsProvider),
        voice: Name(2000),
        model: Name(200)
      }),
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/mpeg" }),
      error: [providerFailedError("synthesis_failed"), ProviderBusyError, StorageFailureError]
    })
      .annotate(Right, "talk")
      .annotate(OpenApi.Summary, "Convert a text of up to 5,000 characters to speech, as MP3")
      .annotate(Mark, mark({ rate: ratePresets.tts, bodyLimit: ByteSize.kibibytes(64) })),
    HttpApiEndpoint.get("config", "/api/tts/config", { success: TtsConfig, error: StorageFailureError }).annotate(
      OpenApi.Summary,
      "Get voices and speaking styles"
    ),
    HttpApiEndpoint.put("configure", "/api/tts/config", {
      payload: TtsConfigChange,
      success: TtsConfig,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Change some values; an empty string restores the default")
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Text-to-speech") {}
