import type { ChatItem } from "./chatTypes.ts"

/** An item's searchable text, including a tool's input and output. */
export const searchableText = (item: ChatItem): string => {
  switch (item.kind) {
    case "user":
    case "assistant":
    case "thinking":
    case "note":
      return item.text
    case "tool":
      return `${item.name} ${item.title ?? ""} ${JSON.stringify(item.args ?? "")} ${item.output}`
    case "error":
      return item.message
    case "aborted":
      return ""
  }
}

/** Keys of the items that contain a text, ignoring case, oldest first; none for an empty text. */
export const searchItems = (items: ReadonlyArray<ChatItem>, query: string): ReadonlyArray<string> => {
  const wanted = query.trim().toLowerCase()
  if (wanted === "") return []
  return items.flatMap((item) => (searchableText(item).toLowerCase().includes(wanted) ? [item.key] : []))
}
