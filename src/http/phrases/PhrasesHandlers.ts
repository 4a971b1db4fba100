import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { VoicePhrases } from "../../services/phrases/VoicePhrases.ts"
import { Api } from "../Api.ts"

export const PhrasesHandlers = HttpApiBuilder.group(
  Api,
  "phrases",
  Effect.fn(function* (handlers) {
    const phrases = yield* VoicePhrases
    return handlers.handleAll({
      merged: ({ query }) => phrases.merged(query.lang),
      status: () => phrases.status,
      read: ({ params }) => phrases.of(params.lang),
      save: ({ params: { lang }, payload }) =>
        Effect.map(phrases.save(lang, payload), (saved) => ({ ok: true as const, lang, ...saved }))
    })
  })
)
