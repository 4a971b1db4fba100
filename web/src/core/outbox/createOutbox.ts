import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import type { ActionResult } from "../common/Observable.ts"
import { loadedPart } from "../link/loadedPart.ts"
import { createOutboxStore } from "./OutboxStore.ts"
import type { OutboxListener, OutboxParts, OutboxStore, Pending } from "./outboxTypes.ts"

/** Messages on their way to agents: the console keeps them and hands them over, this page tells it about them. */
export interface Outbox {
  /** Gives a message to the console, as soon as that can be reached. */
  send(message: WrittenMessage): void
  /** Calls back with a session's messages at each change. */
  follow(sessionKey: string, listener: OutboxListener): () => void
  /** Does something that either works or fails with a sentence. */
  act<A>(action: (store: OutboxStore) => Promise<ActionResult<A>>): Promise<ActionResult<A>>
  dispose(): void
}

/** The outbox. Most of it begins with the first connection. */
export function createOutbox(parts: OutboxParts): Outbox {
  const pending = new Map<string, Pending>()
  /** What is done once the rest has arrived. */
  const waiting = new Set<(store: OutboxStore) => void>()
  let loaded: OutboxStore | undefined

  const rest = loadedPart(parts.events, async () => {
    loaded = createOutboxStore(parts, pending)
    for (const start of waiting) start(loaded)
    waiting.clear()
    return loaded
  })

  /** Runs once the rest has arrived, unless it is stopped before. */
  function whenLoaded(start: (store: OutboxStore) => void): () => void {
    if (loaded === undefined) waiting.add(start)
    else start(loaded)
    return () => waiting.delete(start)
  }

  return {
    send: (message) => {
      pending.set(message.id, { message, state: "taking", error: null })
      whenLoaded((store) => store.hand(message.id))
      rest.load().catch(() => {})
    },
    follow: (sessionKey, listener) => {
      let leave: () => void = () => {}
      const forget = whenLoaded((store) => {
        leave = store.follow(sessionKey, listener)
      })
      return () => {
        forget()
        leave()
      }
    },
    act: rest.act,
    dispose: () => {
      waiting.clear()
      rest.dispose()
    }
  }
}
