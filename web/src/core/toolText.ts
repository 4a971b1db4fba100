import { type Fields, fieldsOf, filledText, listOf, textOf } from "./decode.ts"

/** The text of a message's or tool result's content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content
  return listOf(content)
    .flatMap((part) => textOf(fieldsOf(part).text) ?? [])
    .join("\n")
}

/** Output of a finished or running tool, whichever shape the gateway gives it. */
export function toolOutput(result: unknown): string {
  if (typeof result === "string") return result
  const fields = fieldsOf(result)
  const text = contentText(fields.content)
  if (text !== "") return text
  const details = fields.details ?? (Object.keys(fields).length > 0 ? fields : null)
  return details === null ? "" : (textOf(fieldsOf(details).aggregated) ?? JSON.stringify(details, null, 2) ?? "")
}

/** Newer gateways call most tools through one called `tool_call`: shown is the tool meant. */
export function namedTool(name: unknown, args: unknown): { readonly name: string; readonly args: unknown } {
  const inner: Fields = fieldsOf(args)
  const meant = name === "tool_call" ? filledText(inner.id) : null
  return meant === null
    ? { name: filledText(name) ?? "tool", args: args ?? null }
    : { name: meant, args: inner.args ?? null }
}
