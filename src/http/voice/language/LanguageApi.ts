import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LanguageChoice, LanguageCode, LanguageSupport, VoiceGender } from "../../../contract/schema/voice.ts"
import { Right, rights } from "../../Right.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

/** The voice language. */
export class LanguageApi extends HttpApiGroup.make("language")
  .add(
    HttpApiEndpoint.get("read", "/api/language", { success: LanguageChoice }).annotate(
      OpenApi.Summary,
      "Get the voice language and which configured providers can speak it"
    ),
    HttpApiEndpoint.put("change", "/api/language", {
      payload: Schema.Struct({
        language: Schema.optionalKey(LanguageCode),
        edgeVoiceGender: Schema.optionalKey(VoiceGender)
      }),
      success: LanguageChoice,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Change the language and voice, now and for later starts"),
    HttpApiEndpoint.get("support", "/api/language/support", { success: LanguageSupport }).annotate(
      OpenApi.Summary,
      "List which languages can be spoken and recognised"
    )
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Voice language") {}
