import type { ActionResult } from "../common/readable.ts"
import type { OutboxListener, OutboxParts, OutboxStore, Pending } from "./outboxTypes.ts"
import type { WrittenMessage } from "./writtenMessage.ts"

/** Messages on their way to agents: the console keeps them and hands them over, this page tells it about them. */
export interface Outbox {
  /** Gives a message to the console, as soon as that can be reached. */
  send(message: WrittenMessage): void
  /** Tells a session's messages whenever they have changed. */
  follow(sessionKey: string, listener: OutboxListener): () => void
  /** Does something that either works or fails with a sentence. */
  act<A>(action: (store: OutboxStore) => Promise<ActionResult<A>>): Promise<ActionResult<A>>
  dispose(): void
}

/** The outbox. Most of it loads with the first connection: no first screen waits for it. */
export function createOutbox(parts: OutboxParts): Outbox {
  const pending = new Map<string, Pending>()
  /** What is done once the rest has arrived. */
  const waiting = new Set<(store: OutboxStore) => void>()
  let loading: Promise<OutboxStore> | undefined

  function load(): Promise<OutboxStore> {
    loading ??= import("../client/withConnection.ts").then(
      ({ createOutboxStore }) => {
        const store = createOutboxStore(parts, pending)
        for (const start of waiting) start(store)
        waiting.clear()
        return store
      },
      (reason) => {
        // The next connection tries again.
        loading = undefined
        throw reason
      }
    )
    return loading
  }

  /** Runs once the rest has arrived, unless it is stopped before. */
  function whenLoaded(start: (store: OutboxStore) => void): () => void {
    waiting.add(start)
    loading?.then(
      (store) => waiting.delete(start) && start(store),
      () => {}
    )
    return () => waiting.delete(start)
  }

  const stop = parts.events.connected.subscribe((up) => {
    if (up) load().catch(() => {})
  })

  if (parts.events.connected.get()) load().catch(() => {})

  return {
    send: (message) => {
      pending.set(message.id, { message, state: "taking", error: null })
      whenLoaded((store) => store.hand(message.id))
      load().catch(() => {})
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
    act: (action) =>
      load().then(action, () => ({
        ok: false,
        message: "Couldn't load this part of the page. Reload it and try again."
      })),
    dispose: () => {
      stop()
      waiting.clear()
      loading?.then(
        (store) => store.dispose(),
        () => {}
      )
    }
  }
}
