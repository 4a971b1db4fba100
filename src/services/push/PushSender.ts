import { Clock, Context, Deferred, Effect, FiberMap, Layer, Option, Result, Schedule } from "effect"
import type { InboxChange, InboxItem } from "../../contract/answers/InboxAnswers.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { deliveryTime } from "./deliveryPlan.ts"
import { type Delivery, type DeliveryState, deliveryStore } from "./deliveryStore.ts"
import { judgeResponse, judgeSilence, MAX_ATTEMPTS, type Verdict } from "./deliveryVerdict.ts"
import { PushTransport } from "./PushTransport.ts"
import { endedMessage, openedMessage, type PushMessage, testMessage } from "./pushMessage.ts"
import { PushDeviceNotFound, PushFailed } from "./pushSchemas.ts"
import { type Recipient, Recipients } from "./Recipients.ts"
import { SeenItems } from "./SeenItems.ts"

export interface PushSenderShape {
  /** Tells everybody who wants to know, in the background; never fails and waits for nobody. */
  readonly react: (change: InboxChange) => Effect.Effect<void>
  /** After a start: catches up with what a previous run left, given everything that's open now. */
  readonly resume: (open: ReadonlyArray<InboxItem>) => Effect.Effect<void>
  /** Sends a test notification to one device, once. */
  readonly test: (id: string) => Effect.Effect<void, PushDeviceNotFound | PushFailed | StoreError>
}

/** A wait is looked at again this often, since clocks are set and choices are changed meanwhile. */
const LOOK_AGAIN_MS = 60_000
/** For how long a delivery is tried at most. */
const LONGEST_MS = 30 * 60_000

const STORE_AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

/** How a delivery ended. */
interface Ending {
  readonly verdict: Exclude<Verdict, { readonly type: "again" }> | { readonly type: "ended" }
  /** An attempt got no response, so the device may have been told all the same. */
  readonly isUnclear: boolean
}

const stateAfter = ({ verdict, isUnclear }: Ending): DeliveryState =>
  verdict.type === "sent" ? "sent" : isUnclear ? "sending" : "none"

/**
 * Tells devices, and what the settings name, of items that wait for a person, and of their end. Each item goes to each
 * of them once, in a fiber of its own.
 */
export class PushSender extends Context.Service<PushSender, PushSenderShape>()(
  "agent-console/services/push/PushSender"
) {
  static readonly layer = Layer.effect(
    PushSender,
    Effect.gen(function* () {
      const recipients = yield* Recipients
      const transport = yield* PushTransport
      const seen = yield* SeenItems
      const store = deliveryStore(yield* Sqlite)
      const fibers = yield* FiberMap.make<string>()
      /** Deliveries that run, by item and recipient; each is told when its item ends. */
      const running = new Map<string, Map<string, Deferred.Deferred<void>>>()

      /** What can't be noted is logged where it failed, and mustn't keep anybody from being told. */
      const kept = <A>(effect: Effect.Effect<A, StoreError>, otherwise: A) =>
        Effect.orElseSucceed(effect, () => otherwise)

      const tryOnce = Effect.fnUntraced(function* (recipient: Recipient, message: PushMessage, attempt: number) {
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
        const verdict: Verdict = { type: "failed", sentence: failure.message }
        return verdict
      })

      /** Tries until it's sent, refused, over or too late. */
      const send = Effect.fnUntraced(function* (
        recipient: Recipient,
        message: PushMessage,
        { until, ended }: { readonly until: number; readonly ended: Effect.Effect<void> }
      ): Effect.fn.Return<Ending> {
        let isUnclear = false
        for (let attempt = 1; ; attempt++) {
          const verdict = yield* tryOnce(recipient, message, attempt)
          if (verdict.type !== "again") return { verdict, isUnclear }
          isUnclear ||= verdict.isUnclear
          const now = yield* Clock.currentTimeMillis
          if (attempt === MAX_ATTEMPTS || now + verdict.afterMs >= until) {
            return { verdict: { type: "failed", sentence: verdict.sentence }, isUnclear }
          }
          const over = yield* Effect.timeoutOption(ended, verdict.afterMs)
          if (Option.isSome(over)) return { verdict: { type: "ended" }, isUnclear }
        }
      })

      const noteOutcome = (recipient: Recipient, { verdict }: Ending) => {
        switch (verdict.type) {
          case "sent":
            return kept(recipient.note({}), undefined)
          case "failed":
            return kept(recipient.note({ error: verdict.sentence }), undefined)
          case "gone":
            return kept(recipient.leave, undefined)
          case "ended":
            return Effect.void
        }
      }

      /** Tells a recipient that an item has ended. */
      const withdraw = Effect.fnUntraced(function* ({ device, item, kind, state }: Delivery) {
        const recipient = state === "none" ? undefined : yield* kept(recipients.find(device), undefined)
        if (recipient !== undefined) {
          const now = yield* Clock.currentTimeMillis
          const until = now + LONGEST_MS
          const ending = yield* send(recipient, endedMessage({ id: item, kind }), { until, ended: Effect.never })
          // What counts for people is that they were told; only what they can do something about is shown to them.
          if (ending.verdict.type !== "sent") yield* noteOutcome(recipient, ending)
        }
        yield* kept(store.forget(item, device), undefined)
      })

      /** Waits for the recipient's turn; `undefined` if it isn't to be told. */
      const turn = Effect.fnUntraced(function* (item: InboxItem, id: string, heardAt: number) {
        for (;;) {
          const recipient = yield* kept(Effect.retry(recipients.find(id), STORE_AGAIN), undefined)
          if (recipient === undefined) return undefined
          const now = yield* Clock.currentTimeMillis
          const at = deliveryTime({ item, device: recipient.choices, heardAt, now, seenAt: seen.at(item.id) })
          if (at === undefined) {
            yield* kept(store.claim(item, id, "none"), false)
            return undefined
          }
          if (at <= now) return recipient
          yield* Effect.sleep(Math.min(at - now, LOOK_AGAIN_MS))
        }
      })

      const deliver = Effect.fnUntraced(function* (item: InboxItem, id: string, ended: Deferred.Deferred<void>) {
        const heardAt = yield* Clock.currentTimeMillis
        // Whoever published the change goes on first.
        yield* Effect.yieldNow
        const over = Deferred.await(ended)
        const recipient = yield* Effect.raceFirst(turn(item, id, heardAt), Effect.as(over, undefined))
        if (recipient === undefined || Deferred.isDoneUnsafe(ended)) return
        if (!(yield* kept(store.claim(item, id, "sending"), true))) return
        const now = yield* Clock.currentTimeMillis
        const until = Math.min(now + LONGEST_MS, item.expiresAt ?? Number.POSITIVE_INFINITY)
        const ending = yield* send(recipient, openedMessage(item, recipient.choices, now), { until, ended: over })
        yield* kept(store.settle(item.id, id, stateAfter(ending)), undefined)
        yield* noteOutcome(recipient, ending)
        return ending
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
          Effect.flatMap((ending) =>
            Effect.flatMap(release, (hasEnded) =>
              hasEnded
                ? withdraw({
                    item: item.id,
                    device: id,
                    kind: item.kind,
                    state: ending === undefined ? "none" : stateAfter(ending)
                  })
                : Effect.void
            )
          ),
          Effect.onInterrupt(() => release),
          Effect.catchCause((cause) => Effect.andThen(release, Effect.logError("Couldn't send a notification", cause)))
        )
        yield* FiberMap.run(fibers, `${item.id} ${id}`, run)
      })

      const end = Effect.fnUntraced(function* (itemId: string) {
        const told = new Set<string>()
        for (const [id, ended] of running.get(itemId) ?? []) {
          told.add(id)
          Deferred.doneUnsafe(ended, Effect.void)
        }
        for (const delivery of yield* store.of(itemId)) {
          // A delivery that runs takes its notification back by itself.
          if (told.has(delivery.device)) continue
          yield* FiberMap.run(fibers, `${itemId} ${delivery.device} end`, withdraw(delivery), { onlyIfMissing: true })
        }
      })

      const open = Effect.fnUntraced(function* (item: InboxItem, since: (recipient: Recipient) => boolean) {
        for (const recipient of yield* recipients.list) {
          const { id, kinds } = recipient.choices
          if (kinds.includes(item.kind) && since(recipient)) yield* start(item, id)
        }
      })

      /** A fault here takes no other part down. */
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
              for (const item of items) yield* open(item, ({ choices }) => choices.createdAt <= item.createdAt)
            })
          ),
        test: Effect.fn("PushSender.test")(function* (id) {
          const recipient = yield* recipients.find(id)
          if (recipient === undefined) return yield* new PushDeviceNotFound()
          const verdict = yield* tryOnce(recipient, testMessage(recipient.choices.label), 1)
          if (verdict.type === "sent") return yield* recipient.note({})
          if (verdict.type === "gone") {
            yield* recipient.leave
            return yield* new PushFailed({
              message: "That device no longer accepts notifications, so it was removed: switch them on there again."
            })
          }
          yield* recipient.note({ error: verdict.sentence })
          return yield* new PushFailed({ message: verdict.sentence })
        })
      })
    })
  )
}
