import { type Fields, fieldsOf, filledText, listOf, recordsOf, textOf } from "../../../contract/looseFields.ts"

/** The text of a message's or tool result's content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content
  return listOf(content)
    .flatMap((part) => textOf(fieldsOf(part).text) ?? [])
    .join("\n")
}

/** Output of a finished or running tool, in whichever form the gateway sends it. */
export function toolOutput(result: unknown): string {
  if (typeof result === "string") return result
  const fields = fieldsOf(result)
  const text = contentText(fields.content)
  if (text !== "") return text
  const details = fields.details ?? (Object.keys(fields).length > 0 ? fields : null)
  return details === null ? "" : (textOf(fieldsOf(details).aggregated) ?? JSON.stringify(details, null, 2) ?? "")
}

/** A command that a person or a rule didn't allow, in the gateway's words; some tools wrap them in JSON. */
const DENIED = /^\s*(?:\{\s*"status":\s*"error",[^}]{0,200}"error":\s*")?exec denied\b/i

/** How a tool call ended. */
export const toolEnd = (isFailed: boolean, output: string): "done" | "denied" | "error" =>
  DENIED.test(output) ? "denied" : isFailed ? "error" : "done"

/** Newer gateways call most tools through one named `tool_call`; the tool meant is shown instead. */
export function namedTool(name: unknown, args: unknown): { readonly name: string; readonly args: unknown } {
  const inner: Fields = fieldsOf(args)
  const meant = name === "tool_call" ? filledText(inner.id) : null
  return meant === null
    ? { name: filledText(name) ?? "tool", args: args ?? null }
    : { name: meant, args: inner.args ?? null }
}

/** A file change requested of a tool. */
interface FileEdit {
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
