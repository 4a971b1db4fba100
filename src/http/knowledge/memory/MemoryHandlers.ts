import { Effect } from "effect"
import { textVersion } from "../../../contract/textVersion.ts"
import { Memory, type MemoryAdded } from "../../../services/knowledge/memory/Memory.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const ok = true as const

const addedBody = ({ written, section, storeFailure }: MemoryAdded) => {
  if (!written) return { written, section }
  if (storeFailure === undefined) return { written, section, vectorStore: "stored" as const }
  return { written, section, vectorStore: "failed" as const, details: storeFailure }
}

export const MemoryHandlers = routeHandlers(
  "memory",
  Effect.fn(function* (handlers) {
    const memory = yield* Memory
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(memory.of(query), ({ list }) => list),
      section: ({ query }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.readSection(query.title, query.date)),
          Effect.map((content) => ({ ok, content, version: textVersion(content) }))
        ),
      add: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.add(payload)),
          Effect.map((added) => ({ ok, result: addedBody(added) }))
        ),
      replaceSection: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.replaceSection(payload)),
          Effect.map((version) => ({ ok, ...payload, version }))
        ),
      remove: ({ query, payload }) =>
        memory.of(query).pipe(
          Effect.flatMap((own) => own.remove(payload)),
          Effect.map((result) => ({ ok, result }))
        )
    })
  })
)
