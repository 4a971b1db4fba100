import { Effect } from "effect"
import { textVersion } from "../../../contract/textVersion.ts"
import { Documents } from "../../../services/knowledge/documents/Documents.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const ok = true as const

export const DocumentsHandlers = routeHandlers(
  "documents",
  Effect.fn(function* (handlers) {
    const documents = yield* Documents
    return handlers.handleAll({
      list: ({ query }) =>
        documents.of(query).pipe(
          Effect.flatMap(({ list }) => list),
          Effect.map((files) => ({ ok, files }))
        ),
      read: ({ params, query }) =>
        documents.of(query).pipe(
          Effect.flatMap((own) => own.read(params.key)),
          Effect.map((content) => ({ ok, content, version: textVersion(content) }))
        ),
      write: ({ params: { key }, query, payload: { content, version } }) =>
        documents.of(query).pipe(
          Effect.flatMap((own) => own.write(key, content, version)),
          Effect.as({ ok, key, content, version: textVersion(content) })
        )
    })
  })
)
