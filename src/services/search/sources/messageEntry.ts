import type { FeedMessage } from "../../gateway/feed/feedMessage.ts"
import { conversation, type SearchEntry } from "../searchTypes.ts"
import { searchRole } from "../store/readMessageLine.ts"
import { isLeftOut, messageText } from "../text/messageText.ts"

/** A message as the gateway tells it; `undefined` for what isn't shown in conversations. */
export const messageEntry = (
  gatewayId: string,
  { sessionKey, id, at, message }: FeedMessage
): SearchEntry | undefined => {
  const role = searchRole(message.role)
  if (role === undefined || isLeftOut(message.content)) return undefined
  const text = messageText(role, message.content)
  if (text.trim() === "") return undefined
  return { place: conversation(gatewayId, sessionKey), key: id, at, role, text, stamp: "" }
}

/** Whether the gateway has more of it than it told. */
export const isIncomplete = ({ isCut, message }: FeedMessage): boolean => isCut || isLeftOut(message.content)
