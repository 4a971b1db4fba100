import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Documents } from "../../services/documents/Documents.ts"
import { textVersion } from "../../services/files/textVersion.ts"
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
      write: ({ params: { key }, payload: { content, version } }) =>
        Effect.as(documents.write(key, content, version), { ok, key, content, version: textVersion(content) })
    })
  })
)
