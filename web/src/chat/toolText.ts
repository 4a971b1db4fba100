/** Argument names that say best what a tool works on, the most telling first. */
const TARGET_NAMES = [
  "command",
  "cmd",
  "path",
  "file_path",
  "filePath",
  "file",
  "query",
  "pattern",
  "url",
  "task",
  "id"
]
const MAX_TARGET = 140

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** What a tool call works on, in one line: the most telling text argument; empty when there is none. */
export const toolTarget = (args: unknown): string => {
  const record = asRecord(args)
  const named = TARGET_NAMES.map((name) => record[name])
  const text = [...named, ...Object.values(record)].find((value) => typeof value === "string" && value.trim() !== "")
  if (typeof text !== "string") return ""
  const line = text.trim().split("\n", 1)[0] ?? ""
  return line.length > MAX_TARGET ? `${line.slice(0, MAX_TARGET)}…` : line
}

/** Arguments as people read them: indented JSON, texts as they are; empty when there are none. */
export const argumentsText = (args: unknown): string => {
  if (args === null || args === undefined) return ""
  if (typeof args === "string") return args
  if (typeof args === "object" && Object.keys(args).length === 0) return ""
  return JSON.stringify(args, null, 2)
}

/** The start of a long output, and how many characters are left out. */
export const shortened = (text: string, limit: number): { readonly text: string; readonly hidden: number } =>
  text.length <= limit ? { text, hidden: 0 } : { text: text.slice(0, limit), hidden: text.length - limit }
