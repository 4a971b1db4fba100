import type { ChatMedia as StoredMedia } from "../../../../src/services/conversations/history/mediaLines.ts"
import type * as Kept from "../../../../src/services/conversations/turn/chatItems.ts"
import { below } from "../common/basePath.ts"
import { say } from "../language/say.ts"
import { ownFailureText } from "../link/failureText.ts"
import type { ChatItem, ChatMedia, ChatState, NoteItem } from "./chatTypes.ts"

const NOTES = {
  GATEWAY: say("The gateway"),
  SCHEDULED_JOB: say("Scheduled job"),
  OTHER_SESSION: say("Another session"),
  TOO_LARGE_TO_LIST: say("This conversation is too large to list here."),
  COMPACTED: say("Compacted: the agent continues with a summary of the conversation so far.")
} as const

const PROBLEMS = {
  NO_LONGER_AVAILABLE: say("no longer available"),
  NOT_SHOWN: say("can't be shown here"),
  ONLY_ON_GATEWAY: say("only on the gateway's machine")
} as const

/** A file with its address below that of the console. */
export const shownMedia = ({ problem, ...media }: StoredMedia): ChatMedia => ({
  ...media,
  src: media.src?.startsWith("/") === true ? below(media.src) : media.src,
  ...(problem === undefined ? {} : { problem: PROBLEMS[problem] })
})

export const shownNote = (item: Kept.NoteItem): NoteItem => {
  const { at, from, key, kind } = item
  const text = "code" in item ? NOTES[item.code] : item.text
  return { kind, key, at, from: "code" in from ? NOTES[from.code] : from.name, text }
}

/** A tool whose output says that there's more of it. */
export const withCutNote = (item: Kept.ToolItem): Kept.ToolItem => {
  const note = say("Left out by the gateway because it's too long.")
  return { ...item, output: item.output === "" ? note : `${item.output}\n… ${note}` }
}

const translated = (item: Kept.ChatItem): ChatItem => {
  switch (item.kind) {
    case "user":
      return {
        ...item,
        images: item.images.map(shownMedia),
        error: item.error === null ? null : ownFailureText(item.error)
      }
    case "assistant": {
      const { media, ...rest } = item
      return media === undefined ? rest : { ...rest, media: media.map(shownMedia) }
    }
    case "tool":
      return item.isCut === true ? withCutNote(item) : item
    case "error":
      return { kind: item.kind, key: item.key, at: item.at, message: ownFailureText(item.failure) }
    case "note":
      return shownNote(item)
    default:
      return item
  }
}

const known = new WeakMap<Kept.ChatItem, ChatItem>()

/** An item as screens show it: the same for the same item. */
export const shownItem = (item: Kept.ChatItem): ChatItem => {
  const before = known.get(item)
  if (before !== undefined) return before
  const shown = translated(item)
  known.set(item, shown)
  return shown
}

/** A conversation as screens show it. */
export const shownChat = ({ failure, items, ...state }: Kept.ChatState): ChatState => ({
  ...state,
  message: failure === null ? null : ownFailureText(failure),
  items: items.map(shownItem)
})
