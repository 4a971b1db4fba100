import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PhraseChange, PhraseLanguage } from "../../../services/voice/phrases/phraseRules.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

const params = { lang: PhraseLanguage }
const Phrases = Schema.Array(Schema.String)
const set = { stopPhrases: Phrases, cancelPhrases: Phrases, wakePhrases: Phrases }
const own = { source: Schema.Literals(["custom", "defaults", "none"]), ...set }

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
      success: Schema.Struct(set),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Get a language's phrases, plus the English ones"),
    HttpApiEndpoint.get("status", "/api/voice-phrases/status", {
      success: Schema.Record(Schema.String, Schema.Struct({ configured: Schema.Boolean, hasDefaults: Schema.Boolean })),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "List which languages have phrases"),
    HttpApiEndpoint.get("read", "/api/voice-phrases/:lang", {
      params,
      success: Schema.Struct(own),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Get the phrases of one language only"),
    HttpApiEndpoint.put("save", "/api/voice-phrases/:lang", {
      params,
      payload: AtLeastOne,
      success: Schema.Struct({ ok: Schema.Literal(true), lang: Schema.String, ...own }),
      error: StorageFailureError
    }).annotate(OpenApi.Summary, "Set your own phrases for a language; omitted arrays are left unchanged")
  )
  .annotate(OpenApi.Title, "Voice phrases") {}
