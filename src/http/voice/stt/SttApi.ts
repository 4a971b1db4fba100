import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { LanguageCode, SttConfig, SttModelId, SttProvider, Transcript } from "../../../contract/schema/voice.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { ConverterMissing } from "../../../services/voice/audio/audioTool.ts"
import {
  EmptyRecording,
  ModelNotReady,
  RecordingTooLarge,
  UnsupportedAudio
} from "../../../services/voice/stt/Transcription.ts"
import { errorBody } from "../../errorBody.ts"
import { FormFile, fileForm } from "../../fileForm.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { ProviderBusyError, providerFailedError, StorageFailureError } from "../../serviceErrors.ts"

/** The form's limit leaves room for multipart framing; the recording itself is checked once received. */
const MAX_PART = ByteSize.kibibytes(12 * 1024 + 64)

const TYPES = "webm, mp3, mp4, m4a, wav, ogg or flac"

/** Speech-to-text. */
export class SttApi extends HttpApiGroup.make("stt")
  .add(
    HttpApiEndpoint.post("transcribe", "/api/transcribe", {
      // Whatever isn't sent as a file isn't a recording either.
      payload: Schema.Struct({ file: Schema.Union([FormFile, Schema.String]) }).pipe(fileForm(MAX_PART)),
      success: Transcript,
      error: [
        errorBody(EmptyRecording, {
          code: "validation_error",
          status: 400,
          details: () => failure("RECORDING_EMPTY", { field: "file" })
        }),
        errorBody(RecordingTooLarge, { code: "Request body too large", status: 413 }),
        errorBody(UnsupportedAudio, {
          code: "unsupported_media_type",
          status: 415,
          details: () => failure("RECORDING_TYPE", { types: TYPES })
        }),
        errorBody(ModelNotReady, { code: "model_not_ready", status: 500, details: (error) => error }),
        errorBody(ConverterMissing, { code: "converter_missing", status: 500, details: (error) => error }),
        providerFailedError("transcription_failed"),
        ProviderBusyError
      ]
    })
      .annotate(Right, "talk")
      .annotate(OpenApi.Summary, `Transcribe a recording of up to 12 MB: ${TYPES}`)
      .annotate(Mark, mark({ rate: ratePresets.transcribe, bodyLimit: MAX_PART, body: "form" })),
    HttpApiEndpoint.get("config", "/api/transcribe/config", { success: SttConfig }).annotate(
      OpenApi.Summary,
      "Get the provider, the model and the available models"
    ),
    HttpApiEndpoint.put("configure", "/api/transcribe/config", {
      payload: Schema.Struct({
        provider: Schema.optionalKey(SttProvider),
        model: Schema.optionalKey(SttModelId),
        language: Schema.optionalKey(LanguageCode)
      }),
      success: SttConfig,
      error: StorageFailureError
    }).annotate(
      OpenApi.Summary,
      "Change the provider or model, now and for later starts; a missing local model is downloaded"
    )
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Transcription") {}
