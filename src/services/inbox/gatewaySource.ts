import { Clock, Effect, Schedule, Schema, type Scope } from "effect"
import { failure } from "../../contract/failures.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import { GatewayError } from "../gateway/client/GatewayError.ts"
import { APPROVAL_PREFIXES, ASK_ORIGINS, type AskOrigin, type FeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { GatewayFeedShape } from "../gateway/feed/GatewayFeed.ts"
import { draftOf } from "./gatewayItems.ts"
import { alreadySettled, type InboxSource, type ItemStore } from "./ItemStore.ts"
import { type CheckedDecision, endedElsewhere, isBefore, noLongerAsked, withAnswer } from "./inboxRules.ts"
import { openOf, type StoredItem } from "./inboxTable.ts"

/** The time limit for the gateway to accept a decision. */
const LIMIT = "10 seconds"
/** Retries a failing store, such as on a full disk, for a minute. */
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

const LIST_EVERY = "1 minute"

/** The gateway's method and its parameters for a decision. */
const decisionCall = (
  origin: AskOrigin,
  id: string,
  { action, answers }: CheckedDecision
): readonly [method: string, params: object] => {
  switch (origin) {
    case "question":
      return ["question.resolve", action === "skip" ? { id, cancel: true } : { id, answers: { answers } }]
    case "pairing":
      return [`device.pair.${action}`, { requestId: id }]
    case "system-agent":
      return ["approval.resolve", { id, kind: origin, decision: action }]
    default:
      return [`${APPROVAL_PREFIXES[origin]}.resolve`, { id, decision: action }]
  }
}

/** The gateway's reason may quote the refused answer, which may be a secret. */
const withoutAnswer = (error: GatewayError): GatewayError =>
  error.reason === "invalid" ? new GatewayError({ reason: "invalid", ...failure("ANSWER_NOT_TAKEN") }) : error

const originOf = (origin: string): AskOrigin | undefined => ASK_ORIGINS.find((one) => one === origin)

/** The gateway's pending approvals, questions and device pairings. */
export const makeGatewaySource = Effect.fnUntraced(function* (
  gateway: Pick<GatewayClientShape, "request">,
  feed: GatewayFeedShape,
  store: ItemStore
): Effect.fn.Return<InboxSource, never, Scope.Scope> {
  const { gatewayId } = feed
  /** When the gateway's process started, as far as known. */
  let startedAt = 0

  const onEvent = (event: FeedEvent) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      switch (event._tag) {
        case "Asked":
          return yield* store.change((db) => store.opened(db, draftOf(gatewayId, event.ask, now)))
        case "Settled": {
          const source = { gatewayId, origin: event.origin, source: event.id }
          return yield* store.settle(source, (item) =>
            withAnswer(item, endedElsewhere(item, event.outcome, now), event.answers)
          )
        }
        case "Listed": {
          const waiting = new Set(event.asks.map(({ id }) => id))
          const isGone = ({ from, item }: StoredItem) =>
            !waiting.has(from.source) && !event.newer.has(from.source) && !store.isDeciding(item.id)
          return yield* store.change((db) => [
            ...openOf(db, gatewayId, event.origin)
              .filter(isGone)
              .flatMap((gone) => store.closed(db, gone, (item) => noLongerAsked(item, startedAt, now))),
            ...event.asks.flatMap((ask) => store.opened(db, draftOf(gatewayId, ask, now)))
          ])
        }
        case "Linked": {
          const { gatewayStartedAt = 0, lists } = event
          startedAt = gatewayStartedAt
          const isOver = ({ item }: StoredItem) => isBefore(item, startedAt) && !store.isDeciding(item.id)
          return yield* store.change((db) =>
            ASK_ORIGINS.filter((origin) => !lists.has(origin))
              .flatMap((origin) => openOf(db, gatewayId, origin))
              .filter(isOver)
              .flatMap((gone) => store.closed(db, gone, (item) => noLongerAsked(item, startedAt, now)))
          )
        }
        default:
          return []
      }
    }).pipe(
      Effect.retry(AGAIN),
      Effect.catch((error) => Effect.logWarning(`Couldn't store what waits for a person: ${error.message}`))
    )

  yield* feed.follow((event) => Effect.asVoid(onEvent(event)))

  /** The gateway sends no event when a device withdraws its request. */
  const listPairings = Effect.gen(function* () {
    yield* Effect.sleep(LIST_EVERY)
    const open = yield* store.open(gatewayId, ["pairing"])
    if (open.length > 0) yield* feed.list("pairing")
  })
  yield* Effect.forkScoped(Effect.forever(Effect.ignore(listPairings)))

  return {
    origins: ASK_ORIGINS,
    execute: ({ from }, decision) => {
      const origin = originOf(from.origin)
      if (origin === undefined) return Effect.void
      return gateway.request(...decisionCall(origin, from.source, decision), Schema.Unknown, { timeout: LIMIT }).pipe(
        Effect.asVoid,
        Effect.catchIf(
          (error: GatewayError) => error.code === "REQUEST_SETTLED",
          () =>
            Effect.flatMap(Clock.currentTimeMillis, (at) =>
              Effect.fail(alreadySettled((item) => endedElsewhere(item, undefined, at)))
            )
        ),
        Effect.mapError((error) =>
          error._tag === "GatewayError" && origin === "question" ? withoutAnswer(error) : error
        )
      )
    },
    reload: (name) => {
      const origin = originOf(name)
      return origin === undefined ? Effect.void : feed.list(origin)
    }
  }
})
