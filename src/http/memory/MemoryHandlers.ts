import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Memory, type MemoryAdded } from "../../services/memory/Memory.ts"
import { Api } from "../Api.ts"

const ok = true as const

const addedBody = ({ written, section, storeFailure }: MemoryAdded) => {
  if (!written) return { written, section }
  if (storeFailure === undefined) return { written, section, vectorStore: "stored" as const }
  return { written, section, vectorStore: "failed" as const, details: storeFailure }
}

export const MemoryHandlers = HttpApiBuilder.group(
  Api,
  "memory",
  Effect.fn(function* (handlers) {
    const memory = yield* Memory
    return handlers.handleAll({
      list: () => memory.list,
      section: ({ query }) => Effect.map(memory.readSection(query.title, query.date), (content) => ({ ok, content })),
      add: ({ payload }) => Effect.map(memory.add(payload), (added) => ({ ok, result: addedBody(added) })),
      replaceSection: ({ payload }) =>
        Effect.map(memory.replaceSection(payload), (version) => ({ ok, ...payload, version })),
      remove: ({ payload }) => Effect.map(memory.remove(payload), (result) => ({ ok, result }))
    })
  })
)
