import { Clock, Context, Effect, Layer, Result, Semaphore } from "effect"
import { keyParts, qualifiedKey } from "../../../contract/qualifiedKey.ts"
import type { HeldMark, MarkChange, SessionMark, SessionMarksState } from "../../../contract/schema/session.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { Sqlite, type StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { EveryGateway } from "../registry/EveryGateway.ts"
import { UnknownGateway } from "../registry/gatewayEntry.ts"
import { keepsMarks, marksInRow, patchMarks } from "./gatewayMarks.ts"
import {
  allMarks,
  allSeenSince,
  beginSeen,
  changedMark,
  findMark,
  forgetMarks,
  handedOver,
  removeMark,
  saveMark
} from "./sessionMark.ts"
import type { InvalidSessionChange } from "./sessionRules.ts"

export interface SessionMarksShape {
  /** What the console keeps, of the sessions of all gateways. */
  readonly all: Effect.Effect<SessionMarksState, StoreError>
  /**
   * Changes the marks of a session where its gateway keeps them, otherwise here; the answer is what holds now. It's on
   * disk, there or here, when this returns.
   */
  readonly change: (
    change: MarkChange
  ) => Effect.Effect<HeldMark, StoreError | GatewayError | InvalidSessionChange | UnknownGateway>
}

/**
 * Which sessions are pinned, put away, in a group and read, the same on all of a person's devices. Newer gateways keep
 * it in the session's own row and notify every connection; for older ones the console stores it and notifies every page.
 */
export class SessionMarks extends Context.Service<SessionMarks, SessionMarksShape>()(
  "agent-console/services/gateway/sessions/SessionMarks"
) {
  static readonly layer = Layer.effect(
    SessionMarks,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      // Events go out in the order of the commits.
      const order = yield* Semaphore.make(1)

      const gateways = yield* every.each(({ client, feed, id }) =>
        feed
          .follow((event) =>
            event._tag === "SessionChanged" && event.isDeleted
              ? sqlite
                  .transaction((db) => Result.succeed(removeMark(db, id, event.sessionKey)))
                  .pipe(Effect.ignore({ log: "Warn" }))
              : Effect.void
          )
          .pipe(Effect.as(client))
      )
      yield* every.onRemoved((id) =>
        sqlite.transaction((db) => Result.succeed(forgetMarks(db, id))).pipe(Effect.ignore({ log: "Warn" }))
      )

      const all = Effect.gen(function* () {
        const known = yield* sqlite.read((db) => ({ marks: allMarks(db), since: allSeenSince(db) }))
        const fresh = [...gateways.keys()].filter((id) => !known.since.has(id))
        const now = yield* Clock.currentTimeMillis
        if (fresh.length > 0)
          yield* sqlite.transaction((db) => Result.succeed(fresh.map((id) => beginSeen(db, id, now))))
        return {
          marks: known.marks.map(({ gatewayId, sessionKey, ...mark }) => ({
            sessionKey: qualifiedKey(gatewayId, sessionKey),
            ...mark
          })),
          seenSince: [...known.since, ...fresh.map((id): [string, number] => [id, now])].map(([gatewayId, at]) => ({
            gatewayId,
            at
          }))
        }
      })

      /** Saves the mark that a rule returns, and notifies the pages if it changed. */
      const keep = Effect.fnUntraced(
        function* (sessionKey: string, rule: (mark: SessionMark) => SessionMark) {
          const { gatewayId, key } = keyParts(sessionKey)
          const [before, after] = yield* sqlite.transaction((db) => {
            const before = findMark(db, gatewayId, key)
            const after = rule(before)
            saveMark(db, gatewayId, after)
            return Result.succeed([before, after] as const)
          })
          const { pinned, archivedAt, group, seenAt } = after
          const mark = { sessionKey, pinned, archivedAt, group, seenAt }
          const isNews =
            before.pinned !== pinned ||
            before.archivedAt !== archivedAt ||
            before.group !== group ||
            before.seenAt !== seenAt
          if (isNews) yield* bus.publish({ event: "session.marked", data: mark })
          return mark
        },
        order.withPermit,
        Effect.uninterruptible
      )

      /** What holds now: in the gateway's row, and what is left of it here. */
      const held = Effect.fnUntraced(function* (
        gateway: GatewayClientShape,
        key: string,
        kept: SessionMark,
        change: MarkChange
      ): Effect.fn.Return<HeldMark> {
        const asked = changedMark(kept, change)
        const row = yield* Effect.orElseSucceed(marksInRow(gateway, key), () => undefined)
        if (row === undefined) return { ...asked, keptBy: "gateway" }
        return {
          ...asked,
          pinned: row.pinned || kept.pinned,
          archivedAt: row.isAway ? (row.archivedAt ?? asked.archivedAt) : kept.archivedAt,
          group: row.group ?? kept.group,
          keptBy: "gateway"
        }
      })

      return SessionMarks.of({
        all,
        change: Effect.fn("SessionMarks.change")(function* (change) {
          const { gatewayId, key } = keyParts(change.sessionKey)
          const gateway = gateways.get(gatewayId)
          if (gateway === undefined) return yield* new UnknownGateway({ id: gatewayId })
          const isKeptHere = Effect.map(keepsMarks(gateway), (keeps) => keeps === false)
          if (yield* isKeptHere) return yield* keep(change.sessionKey, (mark) => changedMark(mark, change))
          // Away, it may be of either generation: the call waits for a connection that's still opening, and says what is
          // wrong. An older one that is there by then refused it whole.
          const rule = yield* patchMarks(gateway, key, change).pipe(
            Effect.as(handedOver),
            Effect.catch((problem) =>
              Effect.flatMap(isKeptHere, (isOlder) => (isOlder ? Effect.succeed(changedMark) : Effect.fail(problem)))
            )
          )
          const kept = yield* keep(change.sessionKey, (mark) => rule(mark, change))
          return rule === handedOver ? yield* held(gateway, key, kept, change) : kept
        })
      })
    })
  )
}
