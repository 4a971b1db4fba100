import { Clock, Context, Effect, Layer, Result, Schema, Semaphore } from "effect"
import { MAX_MESSAGE } from "../../contract/outbox.ts"
import { PRIMARY, qualifiedKey } from "../../contract/qualifiedKey.ts"
import { body, filledText, maybe, required, text, wholeNumber } from "../../contract/schema/fields.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { findDraft, forgetOldest, removeDraft, saveDraft } from "./draftStore.ts"

const MAX_KEY = 500
const MAX_DEVICE = 100

const Draft = Schema.Struct({
  sessionKey: Schema.String,
  text: Schema.String,
  updatedAt: Schema.Int,
  deviceId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Draft" })

/** Answer of `GET /api/drafts`. */
export const DraftState = Schema.Struct({
  draft: Schema.NullOr(Draft),
  updatedAt: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "DraftState" })
export type DraftState = typeof DraftState.Type

/** The session of a requested draft. */
export const DraftQuery = Schema.Struct({ sessionKey: required(filledText(MAX_KEY)) })

/** Body of `PUT /api/drafts`. */
export const NewDraft = body({
  sessionKey: required(filledText(MAX_KEY)),
  text: required(text(MAX_MESSAGE)),
  deviceId: maybe(filledText(MAX_DEVICE)),
  /** The number of a device's write, so that a late one doesn't replace a newer one. */
  count: maybe(wholeNumber(0))
})
export type NewDraft = typeof NewDraft.Type

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
