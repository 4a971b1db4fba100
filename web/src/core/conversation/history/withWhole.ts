import { decodeHistory } from "../chatHistory.ts"
import type { ChatItem } from "../chatTypes.ts"
import type { Timeline } from "../timeline.ts"

/** The conversation with all of a message; its items keep their place and key. */
export function withWhole(timeline: Timeline, source: string, answer: object): Timeline {
  // A tool is also known by its result, which is another message.
  const whole = decodeHistory(answer).entries.filter(({ item }) => item.kind !== "tool")
  const bySource = new Map(whole.map((entry) => [entry.source, entry.item]))
  // A message without an id is recognised by being the only one.
  const only = whole.length === 1 ? whole[0]?.item : undefined
  return timeline.map((entry) => {
    const item = bySource.get(entry.source ?? "") ?? (entry.source === source ? only : undefined)
    return item === undefined
      ? entry
      : { ...entry, item: withPictures(askedFor({ ...item, key: entry.item.key }), entry.item) }
  })
}

/** What a person asked for isn't shortened again where it's shown. */
const askedFor = (item: ChatItem): ChatItem =>
  item.kind === "user" || item.kind === "assistant" ? { ...item, isAskedFor: true } : item

/** Pictures stay as they are shown. */
const withPictures = (item: ChatItem, shown: ChatItem): ChatItem =>
  item.kind === "user" && shown.kind === "user" && shown.images.length > 0 ? { ...item, images: shown.images } : item
