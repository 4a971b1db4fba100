import { Clock, Context, Effect, Layer, Result, Semaphore } from "effect"
import { PRIMARY, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { DraftState, NewDraft } from "../../contract/schema/session.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { findDraft, forgetOldest, removeDraft, saveDraft } from "./draftStore.ts"

export interface DraftsShape {
  readonly get: (sessionKey: string) => Effect.Effect<DraftState, StoreError>
  /** Stores the latest text on disk; an empty text removes the draft. */
  readonly put: (draft: NewDraft) => Effect.Effect<{ readonly updatedAt: number }, StoreError>
}

/**
 * Unsent messages, one draft per session for all devices; the last write wins. The page names the sessions of all
 * gateways by qualified keys (`qualifiedKey`).
 */
export class Drafts extends Context.Service<Drafts, DraftsShape>()("agent-console/services/drafts/Drafts") {
  static readonly layer = Layer.effect(
    Drafts,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      // Events are published in the order of the commits.
      const order = yield* Semaphore.make(1)

      yield* every.each(({ feed, id }) =>
        feed.follow((event) =>
          event._tag === "SessionChanged" && event.isDeleted
            ? sqlite
                .transaction((db) => Result.succeed(removeDraft(db, PRIMARY, qualifiedKey(id, event.sessionKey))))
                .pipe(Effect.ignore({ log: "Warn" }))
            : Effect.void
        )
      )

      return Drafts.of({
        get: (sessionKey) =>
          sqlite.read((db) => {
            const found = findDraft(db, PRIMARY, sessionKey)
            if (found === undefined) return { draft: null }
            const { deviceId, text, updatedAt } = found
            const draft = { sessionKey, text, updatedAt, ...optionalEntry("deviceId", deviceId) }
            return { draft: text === "" ? null : draft, updatedAt }
          }),
        put: Effect.fn("Drafts.put")(
          function* ({ count, deviceId, sessionKey, text }) {
            const now = yield* Clock.currentTimeMillis
            const { isNew, updatedAt } = yield* sqlite.transaction((db) => {
              const found = findDraft(db, PRIMARY, sessionKey)
              const isLate =
                found?.deviceId !== undefined && found.deviceId === deviceId && (count ?? Infinity) < (found.count ?? 0)
              if (found !== undefined && isLate) return Result.succeed({ isNew: false, updatedAt: found.updatedAt })
              const isNew = found?.text !== text
              // The clock may have been set back.
              const updatedAt = isNew ? Math.max(now, (found?.updatedAt ?? 0) + 1) : found.updatedAt
              saveDraft(db, { gatewayId: PRIMARY, sessionKey, text, updatedAt, deviceId, count })
              if (isNew) forgetOldest(db)
              return Result.succeed({ isNew, updatedAt })
            })
            if (isNew) yield* bus.publish({ event: "draft.changed", data: { sessionKey, updatedAt } })
            return { updatedAt }
          },
          order.withPermit,
          Effect.uninterruptible
        )
      })
    })
  )
}
