import { Clock, Effect, Schedule, Schema, type Scope } from "effect"
import { failure } from "../../contract/failures.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import { GatewayError } from "../gateway/client/GatewayError.ts"
import { APPROVAL_PREFIXES, ASK_ORIGINS, type AskOrigin, type FeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { GatewayFeedShape } from "../gateway/feed/GatewayFeed.ts"
import { withAnswer } from "./answerText.ts"
import { draftOf } from "./gatewayItems.ts"
import type { InboxLedger } from "./InboxLedger.ts"
import { type InboxDesk, settledAs } from "./inboxDesk.ts"
import { type CheckedDecision, endedElsewhere, isBefore, noLongerAsked } from "./inboxRules.ts"
import { openOf, type StoredItem } from "./inboxStore.ts"

/** How long the gateway gets to take a decision. */
const LIMIT = "10 seconds"
/** A store that fails, such as on a full disk, is tried again for a minute. */
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

const LOOK_EVERY = "1 minute"

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

/** The reason for a refusal may quote what was refused, and that may be a secret. */
const withoutAnswer = (error: GatewayError): GatewayError =>
  error.reason === "invalid" ? new GatewayError({ reason: "invalid", ...failure("ANSWER_NOT_TAKEN") }) : error

const originOf = (origin: string): AskOrigin | undefined => ASK_ORIGINS.find((one) => one === origin)

/** Approvals, questions and devices that wait at the gateway. */
export const gatewayDesk = Effect.fnUntraced(function* (
  gateway: Pick<GatewayClientShape, "request">,
  feed: GatewayFeedShape,
  ledger: InboxLedger
): Effect.fn.Return<InboxDesk, never, Scope.Scope> {
  const { gatewayId } = feed
  /** When the gateway's process began, as far as it says so. */
  let startedAt = 0

  const hear = (event: FeedEvent) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      switch (event._tag) {
        case "Asked":
          return yield* ledger.change((db) => ledger.opened(db, draftOf(gatewayId, event.ask, now)))
        case "Settled": {
          const source = { gatewayId, origin: event.origin, source: event.id }
          return yield* ledger.settle(source, (item) =>
            withAnswer(item, endedElsewhere(item, event.outcome, now), event.answers)
          )
        }
        case "Listed": {
          const waiting = new Set(event.asks.map(({ id }) => id))
          const isGone = ({ from, item }: StoredItem) =>
            !waiting.has(from.source) && !event.told.has(from.source) && !ledger.isDeciding(item.id)
          return yield* ledger.change((db) => [
            ...openOf(db, gatewayId, event.origin)
              .filter(isGone)
              .flatMap((gone) => ledger.closed(db, gone, (item) => noLongerAsked(item, startedAt, now))),
            ...event.asks.flatMap((ask) => ledger.opened(db, draftOf(gatewayId, ask, now)))
          ])
        }
        case "Linked": {
          const { gatewayStartedAt = 0, lists } = event
          startedAt = gatewayStartedAt
          const isOver = ({ item }: StoredItem) => isBefore(item, startedAt) && !ledger.isDeciding(item.id)
          return yield* ledger.change((db) =>
            ASK_ORIGINS.filter((origin) => !lists.has(origin))
              .flatMap((origin) => openOf(db, gatewayId, origin))
              .filter(isOver)
              .flatMap((gone) => ledger.closed(db, gone, (item) => noLongerAsked(item, startedAt, now)))
          )
        }
        default:
          return []
      }
    }).pipe(
      Effect.retry(AGAIN),
      Effect.catch((error) => Effect.logWarning(`Couldn't store what waits for a person: ${error.message}`))
    )

  yield* feed.follow((event) => Effect.asVoid(hear(event)))

  /** A device that gives up takes its request along, and the gateway tells nobody. */
  const lookForGone = Effect.gen(function* () {
    yield* Effect.sleep(LOOK_EVERY)
    const open = yield* ledger.open(gatewayId, ["pairing"])
    if (open.length > 0) yield* feed.list("pairing")
  })
  yield* Effect.forkScoped(Effect.forever(Effect.ignore(lookForGone)))

  return {
    origins: ASK_ORIGINS,
    carryOut: ({ from }, decision) => {
      const origin = originOf(from.origin)
      if (origin === undefined) return Effect.void
      return gateway.request(...decisionCall(origin, from.source, decision), Schema.Unknown, { timeout: LIMIT }).pipe(
        Effect.asVoid,
        Effect.catchIf(
          (error: GatewayError) => error.code === "REQUEST_SETTLED",
          () =>
            Effect.flatMap(Clock.currentTimeMillis, (at) =>
              Effect.fail(settledAs((item) => endedElsewhere(item, undefined, at)))
            )
        ),
        Effect.mapError((error) =>
          error._tag === "GatewayError" && origin === "question" ? withoutAnswer(error) : error
        )
      )
    },
    readAgain: (name) => {
      const origin = originOf(name)
      return origin === undefined ? Effect.void : feed.list(origin)
    }
  }
})
