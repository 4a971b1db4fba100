import { withoutSender } from "../../../../src/contract/unwrapped.ts"
import { fieldsOf, listOf, textOf } from "../common/decode.ts"

function bare(content: unknown): unknown {
  if (typeof content === "string") return withoutSender(content)
  return listOf(content).map((part) => {
    const text = textOf(fieldsOf(part).text)
    return text === null ? part : { ...fieldsOf(part), text: withoutSender(text) }
  })
}

/** Messages as `sessions.get` stores them, in the form of `chat.history`. */
export function withoutEnvelopes(answer: unknown): unknown {
  const messages = listOf(fieldsOf(answer).messages).map((message) => {
    const fields = fieldsOf(message)
    return fields.role === "user" ? { ...fields, content: bare(fields.content) } : message
  })
  return { messages }
}
