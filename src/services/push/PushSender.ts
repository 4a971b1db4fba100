import { Clock, Context, Deferred, Effect, FiberMap, Layer, Result, Schedule } from "effect"
import { failureOf } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { InboxChange, InboxItem } from "../../contract/schema/inbox.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import {
  deliveryTime,
  judgeResponse,
  judgeSilence,
  MAX_ATTEMPTS,
  pauseMs,
  retryTime,
  type Verdict
} from "./deliveryRules.ts"
import { type Delivery, type DeliveryState, deliveryStore, type Noted, type Tries } from "./deliveryStore.ts"
import { PushTransport } from "./PushTransport.ts"
import { PushDeviceNotFound, PushFailed } from "./pushErrors.ts"
import { endedMessage, openedMessage, type PushMessage, testMessage } from "./pushMessage.ts"
import { countFromZero, countRequest } from "./pushMetrics.ts"
import { type Recipient, Recipients } from "./Recipients.ts"
import { SeenItems } from "./SeenItems.ts"

export interface PushSenderShape {
  /** Notifies all recipients of changes, in the background; never fails and doesn't wait for them. */
  readonly react: (change: InboxChange) => Effect.Effect<void>
  /** Resumes the deliveries of the previous run after a start, given all open items. */
  readonly resume: (open: ReadonlyArray<InboxItem>) => Effect.Effect<void>
  /** Sends a test notification to one device, once. */
  readonly test: (id: string) => Effect.Effect<void, PushDeviceNotFound | PushFailed | StoreError>
}

/** How often a wait is checked, because clocks and choices may change. */
const RECHECK_MS = 60_000
/** The maximum duration of a delivery with its retries. */
const LONGEST_MS = 30 * 60_000

const STORE_AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

/** Assumed for a delivery whose record can't be read, so that it's sent all the same. */
const UNKNOWN: Noted = "nothing"

/**
 * Notifies devices, and the sink in the settings, of items that need a person and of their end. Each item is sent once
 * to each recipient, in its own fiber.
 */
export class PushSender extends Context.Service<PushSender, PushSenderShape>()(
  "agent-console/services/push/PushSender"
) {
  static readonly layer = Layer.effect(
    PushSender,
    Effect.gen(function* () {
      const { basePath } = yield* Settings
      const recipients = yield* Recipients
      const transport = yield* PushTransport
      const seen = yield* SeenItems
      const store = deliveryStore(yield* Sqlite)
      const fibers = yield* FiberMap.make<string>()
      /** Running deliveries by item and recipient; each is notified when its item ends. */
      const running = new Map<string, Map<string, Deferred.Deferred<void>>>()

      /** A failed write is logged where it happens and must not prevent a delivery. */
      const kept = <A>(effect: Effect.Effect<A, StoreError>, otherwise: A) =>
        Effect.orElseSucceed(effect, () => otherwise)

      yield* countFromZero

      const judged = Effect.fnUntraced(function* (recipient: Recipient, message: PushMessage, attempt: number) {
        const { host, service } = recipient
        const outcome = yield* Effect.result(
          Effect.flatMap(recipient.request(message), (request) =>
            request === undefined ? Effect.void : transport.post(request)
          )
        )
        const now = yield* Clock.currentTimeMillis
        if (Result.isSuccess(outcome)) {
          const verdict: Verdict = { type: "sent" }
          return outcome.success === undefined ? verdict : judgeResponse(outcome.success, { attempt, now, service })
        }
        const { failure } = outcome
        if (failure._tag === "NoResponse") return judgeSilence(failure.silence, { attempt, now, host })
        const verdict: Verdict = { type: "failed", failure: failureOf(failure) }
        return verdict
      })

      const tryOnce = (...attempt: Parameters<typeof judged>) => Effect.tap(judged(...attempt), countRequest)

      /** Records the result of an attempt at the recipient. */
      const noteTry = (recipient: Recipient, verdict: Verdict) =>
        kept(verdict.type === "gone" ? recipient.leave : recipient.note(verdict), undefined)

      /** Notifies a recipient that an item has ended. */
      const withdraw = Effect.fnUntraced(function* ({ device, item, kind, state }: Delivery) {
        const until = (yield* Clock.currentTimeMillis) + LONGEST_MS
        for (let attempt = 1; state !== "none"; attempt++) {
          const recipient = yield* kept(recipients.find(device), undefined)
          if (recipient === undefined || recipient.isBroken) break
          const verdict = yield* tryOnce(recipient, endedMessage({ id: item, kind }), attempt)
          // The end of an item isn't news, so it doesn't count as the last notification.
          if (verdict.type === "sent") yield* kept(recipient.note({ type: "reached" }), undefined)
          else yield* noteTry(recipient, verdict)
          const now = yield* Clock.currentTimeMillis
          if (verdict.type !== "again" || attempt === MAX_ATTEMPTS || now + verdict.afterMs >= until) break
          yield* Effect.sleep(verdict.afterMs)
        }
        yield* kept(store.forget(item, device), undefined)
      })

      /** Waits until a delivery is due and returns the current recipient; `undefined` if nothing is to be sent. */
      const turn = Effect.fnUntraced(function* (
        item: InboxItem,
        id: string,
        { openedAt, before }: { readonly openedAt: number; readonly before: Tries | undefined }
      ) {
        for (let isHeld = false; ; ) {
          const recipient = yield* kept(Effect.retry(recipients.find(id), STORE_AGAIN), undefined)
          if (recipient === undefined || recipient.isBroken) return undefined
          const now = yield* Clock.currentTimeMillis
          const due = before === undefined ? now : retryTime(before, now)
          const at = deliveryTime({ item, device: recipient.choices, openedAt, now, seenAt: seen.at(item.id) })
          if (at === undefined) return undefined
          if (Math.max(at, due) <= now) return { recipient, isHeld }
          if (recipient.isNewEachStart && before === undefined && !isHeld)
            yield* kept(store.trying(item, id, { tries: 0, triedAt: now, pauseMs: 0, isUnclear: false }), undefined)
          isHeld ||= at > due
          yield* Effect.sleep(Math.min(Math.max(at, due) - now, RECHECK_MS))
        }
      })

      /** Retries until the item is sent, refused, ended or too old; each attempt reads the recipient again. */
      const deliver = Effect.fnUntraced(function* (
        item: InboxItem,
        id: string,
        ended: Deferred.Deferred<void>
      ): Effect.fn.Return<DeliveryState> {
        const openedAt = yield* Clock.currentTimeMillis
        // Lets the publisher of the change continue first.
        yield* Effect.yieldNow
        const noted = yield* kept(store.noted(item.id, id), UNKNOWN)
        if (noted === "decided") return "none"
        let before = noted === "nothing" ? undefined : noted
        let until = Number.POSITIVE_INFINITY
        const settle = (state: DeliveryState) =>
          Effect.as(
            kept(before === undefined ? store.skip(item, id) : store.settle(item.id, id, state), undefined),
            state
          )
        for (let isFirst = true; ; isFirst = false) {
          const isUnclear = before?.isUnclear === true
          const next = yield* Effect.raceFirst(
            turn(item, id, { openedAt, before }),
            Effect.as(Deferred.await(ended), undefined)
          )
          // The attempt that a restart interrupted may have been the last one.
          const tries = (before?.tries ?? 0) + 1
          const isOver = next === undefined || Deferred.isDoneUnsafe(ended) || tries > MAX_ATTEMPTS
          if (isOver) return yield* settle(isUnclear ? "sending" : "none")
          const now = yield* Clock.currentTimeMillis
          if (isFirst || next.isHeld) until = Math.min(now + LONGEST_MS, item.expiresAt ?? Number.POSITIVE_INFINITY)
          before = { tries, triedAt: now, pauseMs: pauseMs(tries, undefined, now), isUnclear: true }
          // If the console ends now, it's unknown whether this attempt arrived.
          yield* kept(store.trying(item, id, before), undefined)
          const message = openedMessage(item, next.recipient.choices, now, basePath)
          const verdict = yield* tryOnce(next.recipient, message, tries)
          const after = yield* Clock.currentTimeMillis
          if (verdict.type !== "again" || tries === MAX_ATTEMPTS || after + verdict.afterMs >= until) {
            const mayBeThere = isUnclear || (verdict.type === "again" && verdict.isUnclear)
            const state = yield* settle(verdict.type === "sent" ? "sent" : mayBeThere ? "sending" : "none")
            yield* noteTry(next.recipient, verdict.type === "again" ? { ...verdict, type: "failed" } : verdict)
            return state
          }
          before = { tries, triedAt: after, pauseMs: verdict.afterMs, isUnclear: isUnclear || verdict.isUnclear }
          yield* kept(store.trying(item, id, before), undefined)
          yield* noteTry(next.recipient, verdict)
        }
      })

      const start = Effect.fnUntraced(function* (item: InboxItem, id: string) {
        const ofItem = running.get(item.id) ?? new Map<string, Deferred.Deferred<void>>()
        if (ofItem.has(id)) return
        const ended = Deferred.makeUnsafe<void>()
        running.set(item.id, ofItem.set(id, ended))
        const release = Effect.sync(() => {
          ofItem.delete(id)
          if (ofItem.size === 0) running.delete(item.id)
          return Deferred.isDoneUnsafe(ended)
        })
        const run = deliver(item, id, ended).pipe(
          Effect.flatMap((state) =>
            Effect.flatMap(release, (hasEnded) =>
              hasEnded ? withdraw({ item: item.id, device: id, kind: item.kind, state }) : Effect.void
            )
          ),
          Effect.onInterrupt(() => release),
          Effect.catchCause((cause) => Effect.andThen(release, Effect.logError("Couldn't send a notification", cause)))
        )
        yield* FiberMap.run(fibers, `${item.id} ${id}`, run)
      })

      const end = Effect.fnUntraced(function* (itemId: string) {
        const notified = new Set<string>()
        for (const [id, ended] of running.get(itemId) ?? []) {
          notified.add(id)
          Deferred.doneUnsafe(ended, Effect.void)
        }
        for (const delivery of yield* store.of(itemId)) {
          // A running delivery withdraws its notification by itself.
          if (notified.has(delivery.device)) continue
          yield* FiberMap.run(fibers, `${itemId} ${delivery.device} end`, withdraw(delivery), { onlyIfMissing: true })
        }
      })

      const open = Effect.fnUntraced(function* (item: InboxItem, since: (recipient: Recipient) => boolean) {
        for (const recipient of yield* recipients.list) {
          const { id, kinds } = recipient.choices
          if (kinds.includes(item.kind) && since(recipient)) yield* start(item, id)
        }
      })

      /** A defect here must not stop other parts. */
      const safely = <E>(effect: Effect.Effect<void, E>) =>
        Effect.catchCause(effect, (cause) => Effect.logError("Couldn't send notifications", cause))

      return PushSender.of({
        react: ({ action, item }) => safely(action === "opened" ? open(item, () => true) : end(item.id)),
        resume: (items) =>
          safely(
            Effect.gen(function* () {
              const ids = new Set(items.map(({ id }) => id))
              const left = new Set((yield* store.all).map(({ item }) => item))
              for (const id of left) if (!ids.has(id)) yield* end(id)
              const begun = new Set((yield* store.undecided).map(({ device, item }) => `${item} ${device}`))
              for (const item of items)
                yield* open(
                  item,
                  ({ choices }) => choices.createdAt <= item.createdAt || begun.has(`${item.id} ${choices.id}`)
                )
            })
          ),
        test: Effect.fn("PushSender.test")(function* (id) {
          const recipient = yield* recipients.find(id)
          if (recipient === undefined) return yield* new PushDeviceNotFound()
          const verdict = yield* tryOnce(recipient, testMessage(recipient.choices.label, basePath), 1)
          if (verdict.type === "gone") {
            yield* recipient.leave
            return yield* new PushFailed(failure("PUSH_DEVICE_GONE"))
          }
          yield* recipient.note(verdict)
          if (verdict.type === "sent") return
          return yield* new PushFailed(verdict.failure)
        })
      })
    })
  )
}
