import type { ConversationItem, ConversationState } from "../../../../../src/contract/schema/conversation.ts"

type Items = ReadonlyArray<ConversationItem>

/** What this page has of a conversation: the console's window, and older items above it. */
export interface LiveWindow {
  readonly epoch: string
  readonly state: ConversationState
  /** Oldest first. */
  readonly older: Items
  /** The cursor of what comes before them; null at the beginning of the conversation. */
  readonly before: string | null
}

/** Items that haven't changed, as they were: a whole state that is sent again has new ones. */
function unchanged(before: Items, after: Items): Items {
  const known = new Map(before.map((item) => [item.key, item]))
  if (after.some((item) => known.get(item.key) === item)) return after
  return after.map((item) => {
    const was = known.get(item.key)
    return was !== undefined && JSON.stringify(was) === JSON.stringify(item) ? was : item
  })
}

/** The window after a new state. What the console leaves to older pages stays above it. */
export function withState(window: LiveWindow | null, { head, items }: ConversationState, epoch: string): LiveWindow {
  const anew = { epoch, state: { head, items }, older: [], before: head.older ?? null }
  if (window?.epoch !== epoch) return anew
  const { older, state } = window
  const next = { ...window, state: { head, items: unchanged(state.items, items) } }
  if (head.older === state.head.older) return older.length > 0 ? next : { ...next, before: head.older ?? null }
  const kept = new Set(items.map(({ key }) => key))
  const first = state.items.findIndex(({ key }) => kept.has(key))
  // Nobody knows what is between two states that share nothing.
  if (first < 0) return anew
  const left = state.items.slice(0, first).filter(({ messageId }) => messageId !== undefined)
  const above = [...older, ...left].filter(({ key }) => !kept.has(key))
  return above.length === 0 ? { ...next, older: [], before: head.older ?? null } : { ...next, older: above }
}

/** The window with what comes before it, unless another conversation took its place meanwhile. */
export function withOlder(
  window: LiveWindow,
  asked: Pick<LiveWindow, "before" | "epoch">,
  page: { readonly items: Items; readonly older: string | null }
): LiveWindow {
  if (window.epoch !== asked.epoch || window.before !== asked.before) return window
  const shown = new Set([...window.older, ...window.state.items].map(({ key }) => key))
  const older = [...page.items.filter(({ key }) => !shown.has(key)), ...window.older]
  return { ...window, older, before: page.older }
}

/** All items, oldest first; `whole` are those that were read whole, by their keys. */
export const itemsOf = ({ older, state }: LiveWindow, whole: ReadonlyMap<string, ConversationItem>): Items => {
  const all = older.length === 0 ? state.items : [...older, ...state.items]
  return whole.size === 0 ? all : all.map((item) => ("cut" in item ? (whole.get(item.key) ?? item) : item))
}

/** What a turn said, from its question to its last item. */
export function saidIn(items: Items, last: string | undefined): string {
  const end = items.findIndex(({ key }) => key === last)
  if (end < 0) return ""
  const begin = items.slice(0, end).findLastIndex(({ kind }) => kind === "user")
  return items
    .slice(begin + 1, end + 1)
    .flatMap((item) => (item.kind === "assistant" ? [item.text] : []))
    .join("\n\n")
}
