import { Effect, Result } from "effect"
import { failureOf } from "../../contract/failure.ts"
import type { MessageStore } from "./MessageStore.ts"
import type { StoredMessage } from "./outboxMessage.ts"
import { findMessage, saveMessage } from "./outboxTable.ts"
import type { BeginSession } from "./SessionBeginnings.ts"

/**
 * Sets the session of a message to what it begins with; false if that failed. The message then has the reason, and
 * waits: its session would otherwise run with another model.
 */
export const beginSession = Effect.fnUntraced(function* (store: MessageStore, begin: BeginSession, id: string) {
  const message = yield* store.read((db) => findMessage(db, id))
  if (message?.begin === undefined) return true
  const refused = yield* Effect.flip(begin(message, message.begin)).pipe(
    Effect.map(failureOf),
    Effect.catch(() => Effect.undefined)
  )
  if (refused === undefined) return true
  if (refused.message !== message.error?.message) {
    yield* store.change((db) => {
      const found = findMessage(db, id)
      if (found?.state !== "waiting") return Result.succeed([])
      const waiting: StoredMessage = { ...found, error: refused }
      saveMessage(db, waiting)
      return Result.succeed([waiting])
    })
  }
  return false
})
