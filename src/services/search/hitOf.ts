import type { SearchHit } from "../../contract/schema/search.ts"
import { type SearchFind, UNLISTED } from "./searchTypes.ts"

const conversationOf = ({ key, place: { name }, role, title }: SearchFind) => ({
  ...(name.startsWith(UNLISTED) ? {} : { sessionKey: name }),
  ...(title === undefined ? {} : { sessionTitle: title }),
  messageId: key,
  ...(role === undefined ? {} : { role })
})

const detailsOf = (find: SearchFind) => {
  const { key, place } = find
  switch (place.kind) {
    case "message":
      return conversationOf(find)
    case "task":
      return { taskId: key, ...(find.heading === undefined ? {} : { title: find.heading }) }
    case "memory":
    case "document":
      return { path: key, ...(place.name === "" ? {} : { agent: place.name }) }
    case "log":
      return {}
  }
}

/** A find as it's answered. */
export const hitOf = (find: SearchFind): SearchHit => ({
  kind: find.place.kind,
  gatewayId: find.place.gatewayId,
  ...detailsOf(find),
  at: find.at,
  snippet: find.snippet
})
