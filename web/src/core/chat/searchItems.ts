import type { ChatItem } from "../chatTypes.ts"

/** The words of an item that a search looks at; what a tool was given and gave back included. */
const textOf = (item: ChatItem): string => {
  switch (item.kind) {
    case "user":
    case "assistant":
    case "thinking":
      return item.text
    case "tool":
      return `${item.name} ${item.title ?? ""} ${JSON.stringify(item.args ?? "")} ${item.output}`
    case "error":
      return item.message
    case "aborted":
      return ""
  }
}

/** Keys of the items that contain a text, whatever its case, the oldest first; none for an empty text. */
export const searchItems = (items: ReadonlyArray<ChatItem>, query: string): ReadonlyArray<string> => {
  const wanted = query.trim().toLowerCase()
  if (wanted === "") return []
  return items.flatMap((item) => (textOf(item).toLowerCase().includes(wanted) ? [item.key] : []))
}
