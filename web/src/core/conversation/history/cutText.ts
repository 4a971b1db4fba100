import { beforeCut, LEFT_OUT } from "../../../../../src/contract/cutText.ts"
import { type Fields, fieldsOf, textOf } from "../../common/decode.ts"
import { say } from "../../language/say.ts"

const markOf = (message: Fields): Fields => fieldsOf(message.__openclaw)

/** Whether the history only says that a message exists. */
export const isLeftOut = (message: Fields): boolean =>
  markOf(message).truncated === true && markOf(message).reason === "oversized"

/** A message's text without the gateway's remark about its length, and whether there was more of it. */
export function uncut(text: string, message: Fields): { readonly text: string; readonly isCut: boolean } {
  if (isLeftOut(message) && LEFT_OUT.test(text.trim())) return { text: "", isCut: true }
  const kept = beforeCut(text)
  return kept === undefined ? { text, isCut: false } : { text: kept, isCut: true }
}

/** A tool's output, with the gateway's remarks in words. */
export function toolTextOf(text: string, message: Fields): string {
  const found = uncut(text, message)
  if (!found.isCut) return text
  const note = say("Left out by the gateway because it's too long.")
  return found.text === "" ? note : `${found.text}\n… ${note}`
}

/** A message's id, null if the gateway gives none. */
export const messageIdOf = (message: Fields): string | null => textOf(markOf(message).id)
