import { Effect } from "effect"
import { VoicePhrases } from "../../../services/voice/phrases/VoicePhrases.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const PhrasesHandlers = routeHandlers(
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
