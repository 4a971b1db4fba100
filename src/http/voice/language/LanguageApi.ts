import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LanguageCode, VoiceGender } from "../../../services/voice/language/VoiceLanguage.ts"
import { SttModelId } from "../../../services/voice/stt/SttSettings.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

const Speakers = Schema.Struct({ free: Schema.Boolean, alias: Schema.Boolean, vendor_a: Schema.Boolean })
const named = { code: LanguageCode, name: Schema.String, nativeName: Schema.String }

export const Language = Schema.Struct({
  language: LanguageCode,
  edgeVoiceGender: VoiceGender,
  supported: Schema.Array(Schema.Struct(named)),
  providers: Speakers
})

export const Support = Schema.Struct({
  languages: Schema.Array(
    Schema.Struct({
      ...named,
      edgeTtsVoices: Schema.Struct({ female: Schema.String, male: Schema.String }),
      stt: Schema.Struct({ local: Schema.Boolean, vendor_a: Schema.Boolean }),
      tts: Speakers
    })
  ),
  currentModel: SttModelId,
  isMultilingual: Schema.Boolean
})

/** The voice language. */
export class LanguageApi extends HttpApiGroup.make("language")
  .add(
    HttpApiEndpoint.get("read", "/api/language", { success: Language }).annotate(
      OpenApi.Summary,
      "Get the voice language and which configured providers can speak it"
    ),
    HttpApiEndpoint.put("change", "/api/language", {
      payload: Schema.Struct({
        language: Schema.optionalKey(LanguageCode),
        edgeVoiceGender: Schema.optionalKey(VoiceGender)
      }),
      success: Language,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Change the language and voice, now and for later starts"),
    HttpApiEndpoint.get("support", "/api/language/support", { success: Support }).annotate(
      OpenApi.Summary,
      "List which languages can be spoken and recognised"
    )
  )
  .annotate(OpenApi.Title, "Voice language") {}
