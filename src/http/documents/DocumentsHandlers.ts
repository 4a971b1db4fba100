import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Documents } from "../../services/documents/Documents.ts"
import { Api } from "../Api.ts"

const ok = true as const

export const DocumentsHandlers = HttpApiBuilder.group(
  Api,
  "documents",
  Effect.fn(function* (handlers) {
    const documents = yield* Documents
    return handlers.handleAll({
      list: () => Effect.map(documents.list, (files) => ({ ok, files })),
      read: ({ params }) => Effect.map(documents.read(params.key), (content) => ({ ok, content })),
      write: ({ params, payload }) =>
        Effect.as(documents.write(params.key, payload.content), { ok, key: params.key, content: payload.content })
    })
  })
)
