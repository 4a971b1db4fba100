import type { ChatItem } from "./chatTypes.ts"

const GOES_ON: ReadonlySet<string> = new Set(["assistant", "thinking", "tool"])

/** A gateway that retries after a failure stores every failure: show one, and none if the turn continued. */
export function errorsOnce<E extends { readonly item: ChatItem }>(entries: ReadonlyArray<E>): ReadonlyArray<E> {
  const kept: Array<E> = []
  for (const entry of entries) {
    const last = kept.at(-1)?.item
    const { item } = entry
    if (last?.kind === "error" && item.kind === "error" && item.message === last.message) continue
    if (last?.kind === "error" && GOES_ON.has(item.kind)) kept.pop()
    kept.push(entry)
  }
  return kept
}
