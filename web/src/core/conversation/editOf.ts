import { fieldsOf, filledText, recordsOf, textOf } from "../common/decode.ts"

/** A file change requested of a tool. */
export interface FileEdit {
  readonly path: string
  readonly before: string
  readonly after: string
}

const OLD = ["old_string", "oldString", "oldText", "old_text", "old_str"]
const NEW = ["new_string", "newString", "newText", "new_text", "new_str"]
const PATHS = ["path", "file_path", "filePath", "file"]

const firstOf = (fields: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): string | null =>
  names.map((name) => textOf(fields[name])).find((text) => text !== null) ?? null

/** The change in an edit tool's arguments, several joined by a blank line; null for any other tool. */
export function editOf(args: unknown): FileEdit | null {
  const fields = fieldsOf(args)
  const edits = [fields, ...recordsOf(fields.edits)].flatMap((entry) => {
    const before = firstOf(entry, OLD)
    const after = firstOf(entry, NEW)
    return before === null || after === null || before === after ? [] : [{ before, after }]
  })
  if (edits.length === 0) return null
  return {
    path: PATHS.map((name) => filledText(fields[name])).find((path) => path !== null) ?? "the file",
    before: edits.map(({ before }) => before).join("\n\n"),
    after: edits.map(({ after }) => after).join("\n\n")
  }
}
