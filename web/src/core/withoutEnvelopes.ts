import { fieldsOf, listOf, textOf } from "./decode.ts"

/** The note about the sender, and the time stamp, that older gateways store in front of what a person typed. */
const SENDER = /^Sender \(untrusted metadata\):\n```json\n[\s\S]*?\n```\n\n/
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]]{0,20}\] /

const unwrapped = (text: string): string => text.replace(SENDER, "").replace(STAMP, "")

function bare(content: unknown): unknown {
  if (typeof content === "string") return unwrapped(content)
  return listOf(content).map((part) => {
    const text = textOf(fieldsOf(part).text)
    return text === null ? part : { ...fieldsOf(part), text: unwrapped(text) }
  })
}

/** Messages as `sessions.get` stores them, in the form `chat.history` gives them (gateway protocol, "Chat"). */
export function withoutEnvelopes(answer: unknown): unknown {
  const messages = listOf(fieldsOf(answer).messages).map((message) => {
    const fields = fieldsOf(message)
    return fields.role === "user" ? { ...fields, content: bare(fields.content) } : message
  })
  return { messages }
}
