import { withoutMediaLines } from "../../text/mediaLines.ts"
import type { AssistantItem, UserItem } from "../chatTypes.ts"

const COMPARED = 200
/** Enough text to compare what remains without the lines that send files. */
const LOOKED_AT = 5_000

const start = (text: string): string => withoutMediaLines(text.slice(0, LOOKED_AT)).trim()

/** Whether two texts start the same, ignoring lines that send files: one generation only keeps them in its history. */
export function beginsAlike(a: string, b: string): boolean {
  const [left, right] = [start(a), start(b)]
  const shared = Math.min(left.length, right.length, COMPARED)
  return left.slice(0, shared) === right.slice(0, shared)
}

/** The history's text, or the words on screen if those in the history are cut. */
export function withSeenWords<Item extends AssistantItem | UserItem>(stored: Item, shown: Item): Item {
  const hasMore = stored.isCut === true && shown.text.length > stored.text.length
  return hasMore && beginsAlike(shown.text, stored.text) ? { ...stored, text: shown.text, isCut: shown.isCut } : stored
}
