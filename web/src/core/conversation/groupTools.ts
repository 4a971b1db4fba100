import type { ChatItem, ToolItem } from "./chatTypes.ts"

/** This many consecutive finished tool calls become one line. */
const MANY = 5

/** An item of the log, or a row of finished tool calls. */
export type LogPart =
  | { readonly kind: "item"; readonly key: string; readonly item: ChatItem; readonly index: number }
  | { readonly kind: "tools"; readonly key: string; readonly tools: ReadonlyArray<ToolItem> }

/**
 * Groups consecutive finished tool calls if there are more than four; `from` is the index of the first item in the
 * conversation.
 */
export function groupTools(items: ReadonlyArray<ChatItem>, from = 0): ReadonlyArray<LogPart> {
  const parts: Array<LogPart> = []
  let row: Array<ToolItem> = []
  const flush = (end: number) => {
    const first = row[0]
    if (first !== undefined && row.length >= MANY) parts.push({ kind: "tools", key: `tools:${first.key}`, tools: row })
    else
      row.forEach((item, at) => {
        parts.push({ kind: "item", key: item.key, item, index: from + end - row.length + at })
      })
    row = []
  }
  items.forEach((item, index) => {
    if (item.kind === "tool" && item.status !== "running") {
      row.push(item)
      return
    }
    flush(index)
    parts.push({ kind: "item", key: item.key, item, index: from + index })
  })
  flush(items.length)
  return parts
}

/** The calls in a group, such as "7 × exec, 2 × read". */
export const toolsText = (tools: ReadonlyArray<Pick<ToolItem, "name">>): string => {
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(", ")
}
