import { ByteSize, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LanguageCode } from "../../services/language/languages.ts"
import { SttModelId } from "../../services/stt/modelCatalogue.ts"
import { EmptyRecording, RecordingTooLarge, UnsupportedAudio } from "../../services/stt/recording.ts"
import { SttProvider } from "../../services/stt/SttSettings.ts"
import { ModelNotReady } from "../../services/stt/Transcription.ts"
import { errorBody } from "../errorBody.ts"
import { ProviderBusyError, providerFailedError } from "../providerErrors.ts"
import { StorageFailureError } from "../storageErrors.ts"

/** The form's own limit leaves room for its framing; the recording inside is measured when it is there. */
const MAX_PART = ByteSize.kibibytes(12 * 1024 + 64)

const TYPES = "webm, mp3, mp4, m4a, wav, ogg or flac"

const Download = Schema.Struct({
  model: SttModelId,
  status: Schema.Literals(["downloading", "verifying", "failed"]),
  receivedBytes: Schema.Finite,
  totalBytes: Schema.Finite,
  percent: Schema.Finite,
  error: Schema.optionalKey(Schema.String)
})

const Config = Schema.Struct({
  provider: SttProvider,
  model: SttModelId,
  language: LanguageCode,
  modelReady: Schema.Boolean,
  openaiKeySet: Schema.Boolean,
  replicateKeySet: Schema.Boolean,
  hasGpu: Schema.Boolean,
  availableModels: Schema.Record(
    SttModelId,
    Schema.Struct({ size: Schema.String, ready: Schema.Boolean, multilingual: Schema.Boolean })
  ),
  download: Schema.NullOr(Download)
})

/** Words from speech (SPEC "Transcription, language and voice phrases"). */
export class SttApi extends HttpApiGroup.make("stt")
  .add(
    HttpApiEndpoint.post("transcribe", "/api/transcribe", {
      payload: Schema.Struct({ file: Multipart.SingleFileSchema }).pipe(
        HttpApiSchema.asMultipart({
          maxParts: 8,
          maxFileSize: MAX_PART,
          maxFieldSize: ByteSize.kibibytes(16)
        })
      ),
      success: Schema.Struct({ text: Schema.String }),
      error: [
        errorBody(EmptyRecording, {
          code: "validation_error",
          status: 400,
          details: () => "file: the recording is empty"
        }),
        errorBody(RecordingTooLarge, { code: "Request body too large", status: 413 }),
        errorBody(UnsupportedAudio, {
          code: "unsupported_media_type",
          status: 415,
          details: () => `the recording must be ${TYPES}`
        }),
        errorBody(ModelNotReady, { code: "model_not_ready", status: 500, details: (error) => error.message }),
        providerFailedError("transcription_failed"),
        ProviderBusyError
      ]
    }).annotate(OpenApi.Summary, `The words of a recording of at most 12 MB: ${TYPES}`),
    HttpApiEndpoint.get("config", "/api/transcribe/config", { success: Config }).annotate(
      OpenApi.Summary,
      "Who recognises, by which model, and which models are there"
    ),
    HttpApiEndpoint.put("configure", "/api/transcribe/config", {
      payload: Schema.Struct({
        provider: Schema.optionalKey(SttProvider),
        model: Schema.optionalKey(SttModelId),
        language: Schema.optionalKey(LanguageCode)
      }),
      success: Config,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Choose, at once and for later starts; a local model that is missing is downloaded")
  )
  .annotate(OpenApi.Title, "Transcription") {}
