import { createContextId, type Signal } from "@builder.io/qwik"
import type { Readable } from "../core/common/Observable.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"

/** Where each version of a message ends, in the order in which they were asked; null for the one on screen. */
export type MessageVersions = ReadonlyArray<string | null>

/** By the key of their message. */
type VersionsByKey = ReadonlyMap<string, MessageVersions>

/**
 * The same for all messages of a log: Qwik keeps for each task of a component whatever was drawn and removed together
 * with it, so a message that followed this by itself would keep others in memory.
 */
export const VersionsContext = createContextId<Signal<VersionsByKey>>("agent-console.versions")

/** The messages on screen that have versions; the same map while none of them changes. */
export const versionsByKey = ({ chat, known }: VersionsStore): Readable<VersionsByKey> => {
  let last: VersionsByKey = new Map()
  const get = () => {
    const next = new Map<string, MessageVersions>()
    for (const { messageId, leaves } of known.get().versions)
      for (const key of chat.keysOf(messageId)) {
        const before = last.get(key)
        next.set(key, before?.join() === leaves.join() ? before : leaves)
      }
    if (next.size !== last.size || [...next].some(([key, leaves]) => last.get(key) !== leaves)) last = next
    return last
  }
  return {
    get,
    subscribe: (listener) => {
      let before = get()
      const notify = () => {
        const now = get()
        if (now === before) return
        before = now
        listener(now)
      }
      const stops = [known.subscribe(notify), chat.state.subscribe(notify)]
      return () => {
        for (const stop of stops) stop()
      }
    }
  }
}
