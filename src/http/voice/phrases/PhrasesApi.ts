import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OwnPhrases, PhraseSet, PhraseStatus, SavedPhrases } from "../../../contract/schema/voice.ts"
import { PhraseChange, PhraseLanguage } from "../../../services/voice/phrases/phraseRules.ts"
import { Right, rights } from "../../Right.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

const params = { lang: PhraseLanguage }
const AtLeastOne = PhraseChange.check(
  Schema.makeFilter((change) =>
    Object.keys(change).length > 0 ? undefined : "stopPhrases, cancelPhrases or wakePhrases is required"
  )
)

/** Phrases that control hands-free listening. */
export class PhrasesApi extends HttpApiGroup.make("phrases")
  .add(
    HttpApiEndpoint.get("merged", "/api/voice-phrases", {
      query: { lang: Schema.optionalKey(PhraseLanguage) },
      success: PhraseSet,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Get a language's phrases, plus the English ones"),
    HttpApiEndpoint.get("status", "/api/voice-phrases/status", {
      success: PhraseStatus,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "List which languages have phrases"),
    HttpApiEndpoint.get("read", "/api/voice-phrases/:lang", {
      params,
      success: OwnPhrases,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Get the phrases of one language only"),
    HttpApiEndpoint.put("save", "/api/voice-phrases/:lang", {
      params,
      payload: AtLeastOne,
      success: SavedPhrases,
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Set your own phrases for a language; omitted arrays are left unchanged")
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Voice phrases") {}
