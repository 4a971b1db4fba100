import type { ChatItem, ChatState, ChatStore } from "./chatTypes.ts"

/** An item's searchable text, including a tool's input and output. */
const searchableText = (item: ChatItem): string => {
  switch (item.kind) {
    case "user":
    case "assistant":
    case "thinking":
    case "note":
      return item.text
    case "tool":
      return `${item.name} ${item.title ?? ""} ${JSON.stringify(item.args ?? "")} ${item.output}`
    case "error":
      return item.message
    case "aborted":
      return ""
  }
}

/** Keys of the items that contain a text, ignoring case, oldest first; none for an empty text. */
export const searchItems = (items: ReadonlyArray<ChatItem>, query: string): ReadonlyArray<string> => {
  const wanted = query.trim().toLowerCase()
  if (wanted === "") return []
  return items.flatMap((item) => (searchableText(item).toLowerCase().includes(wanted) ? [item.key] : []))
}

/** A message that something outside the conversation leads to. */
export interface WantedMessage {
  /** Its id in the gateway's history; null if nobody knows. */
  readonly id: string | null
  /** Epoch milliseconds; 0 when unknown. */
  readonly at: number
  /** Texts in it, in lower case. */
  readonly marks: ReadonlyArray<string>
}

/** How far the time of an item may be from that of the message it shows: a tool's result comes later than its call. */
const NEAR_MS = 3_600_000

const holds = (item: ChatItem, marks: ReadonlyArray<string>): boolean => {
  const text = searchableText(item).toLowerCase()
  return marks.every((mark) => text.includes(mark))
}

/** Whether the loaded items reach back to a time. */
const reaches = ({ items, hasOlder }: ChatState, at: number): boolean => {
  const first = items.find((item) => item.at !== null)?.at ?? Number.POSITIVE_INFINITY
  return !hasOlder || first <= at
}

/** The loaded item that shows a message: by its id, otherwise the one with its words nearest in time; null if none does. */
export const findMessage = (chat: Pick<ChatStore, "state" | "keysOf">, wanted: WantedMessage): string | null => {
  const state = chat.state.get()
  const { id, at, marks } = wanted
  const keys = id === null ? [] : chat.keysOf(id)
  if (keys.length > 0) {
    const own = state.items.filter((item) => keys.includes(item.key))
    return (own.find((item) => holds(item, marks)) ?? own.at(-1))?.key ?? null
  }
  if (marks.length === 0 || !reaches(state, at)) return null
  const away = (item: ChatItem) => Math.abs((item.at ?? Number.POSITIVE_INFINITY) - at)
  const near = state.items.filter((item) => away(item) <= NEAR_MS && holds(item, marks))
  return near.toSorted((a, b) => away(a) - away(b))[0]?.key ?? null
}

/** How a look for a message ended; `key` is that of the item that shows it. */
export type Lookup =
  | { readonly kind: "found"; readonly key: string }
  | { readonly kind: "missing" | "failed" | "stopped" }

/** The first state that isn't loading any more. */
const loaded = (chat: Pick<ChatStore, "state">, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const isDone = () => chat.state.get().status !== "loading"
    if (isDone() || signal.aborted) return resolve()
    const stop = chat.state.subscribe(() => isDone() && end())
    const end = () => {
      stop()
      resolve()
    }
    signal.addEventListener("abort", end, { once: true })
  })

/** Loads older messages until one that is wanted is among them, or can't be any more. */
export const lookForMessage = async (
  chat: Pick<ChatStore, "state" | "keysOf" | "loadOlder">,
  wanted: WantedMessage,
  signal: AbortSignal
): Promise<Lookup> => {
  await loaded(chat, signal)
  while (!signal.aborted) {
    const key = findMessage(chat, wanted)
    if (key !== null) return { kind: "found", key }
    const { items, hasOlder, status } = chat.state.get()
    if (status === "failed") return { kind: "failed" }
    if (!hasOlder || reaches(chat.state.get(), wanted.at - NEAR_MS)) return { kind: "missing" }
    await chat.loadOlder()
    const after = chat.state.get()
    if (after.hasOlder && after.items.length === items.length) return { kind: signal.aborted ? "stopped" : "failed" }
  }
  return { kind: "stopped" }
}
