import { type Fields, fieldsOf, numberOf, recordsOf } from "../common/decode.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import { titleOf } from "./sessionTitle.ts"

/** How many messages at the start of a conversation are searched for a person's first words. */
const HEAD = 20
/** The most an older gateway returns of a history, counted from its end. */
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 1_000

const seqOf = (message: Fields | undefined): number | null => numberOf(fieldsOf(message?.__openclaw).seq)

/** The first words of a session's conversation, or of the oldest part of it that one answer can hold. */
export async function readFirstWords(link: Pick<GatewayLink, "request">, sessionKey: string, isNew: boolean) {
  const read = async (params: object) => {
    const bounds = isNew ? { maxChars: MAX_CHARS } : {}
    return fieldsOf(await link.request("chat.history", { sessionKey, ...bounds, ...params }))
  }
  const end = await read({ limit: HEAD })
  let messages = recordsOf(end.messages)
  const before = (seqOf(messages[0]) ?? 1) - 1
  if (isNew && end.hasMore === true)
    messages = recordsOf(
      (await read({ limit: HEAD, offset: Math.max(0, (numberOf(end.totalMessages) ?? 0) - HEAD) })).messages
    )
  else if (!isNew && before > 0)
    messages = recordsOf((await read({ limit: Math.min(HISTORY_LIMIT, before + HEAD) })).messages)
  for (const message of messages) {
    const title = titleOf(message)
    if (title !== null) return title
  }
  return null
}
