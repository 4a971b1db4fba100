import { filledText, listOf } from "../../../contract/looseFields.ts"
import type { AssistantItem } from "../turn/chatItems.ts"
import type { Timeline } from "../turn/timeline.ts"
import type { Run } from "../turn/turns.ts"
import type { ChatMedia } from "./mediaLines.ts"
import { hideMediaLines, mediaKind, nameOfPlace } from "./mediaLines.ts"

type Expected = Omit<ChatMedia, "problem">

/** A file that hasn't arrived; some gateways announce it before its name is complete. */
function expected(place: string): Expected {
  const name = nameOfPlace(place)
  const kind = /\.\w{2,5}$/.test(name) ? mediaKind(name) : undefined
  return { name, src: null, pending: true, ...(kind === undefined ? {} : { kind }) }
}

/** A running turn with the files the gateway says its agent is about to send; the history has them afterwards. */
export function expectMedia<Turn extends { readonly timeline: Timeline; readonly run: Run }>(
  turn: Turn,
  urls: unknown,
  at: number | null
): Turn {
  const { timeline, run } = turn
  const places = listOf(urls).flatMap((url) => filledText(url) ?? [])
  if (places.length === 0) return turn
  const index = timeline.findLastIndex(({ runId }) => runId === run.id)
  const entry = timeline[index]
  const media = places.map(expected)
  if (entry?.item.kind === "assistant") {
    const before = entry.item.media ?? []
    const item = { ...entry.item, media: [...before, ...media] }
    return { ...turn, timeline: timeline.with(index, { ...entry, item }) }
  }
  const item: AssistantItem = {
    kind: "assistant",
    key: `${run.id}/${run.count}`,
    at,
    text: "",
    streaming: true,
    model: null,
    injected: false,
    media,
    usage: null
  }
  return {
    ...turn,
    timeline: timeline.toSpliced(index < 0 ? timeline.length : index + 1, 0, { item, source: null, runId: run.id }),
    run: { ...run, count: run.count + 1 }
  }
}

/** What is shown of a response: while it is running, lines that send files are reserved places. */
export function shownAnswer<Media>(
  item: Pick<AssistantItem, "injected" | "model" | "text"> & { readonly media?: ReadonlyArray<Media> }
): { readonly text: string; readonly media: ReadonlyArray<Media | Expected> } {
  const media = item.media ?? []
  // Only the history knows which model responded.
  if (item.model !== null || item.injected) return { text: item.text, media }
  const hidden = hideMediaLines(item.text)
  return { text: hidden.text, media: [...media, ...hidden.places.map(expected)] }
}

/**
 * Whether a response on screen is waiting for its files: newer gateways add them to their history a moment after the
 * end.
 */
export const awaitsFiles = (timeline: Timeline): boolean =>
  timeline.some(({ item }) => item.kind === "assistant" && item.media?.some(({ pending }) => pending === true) === true)
