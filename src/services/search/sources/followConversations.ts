import { Effect, Queue, Schema } from "effect"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type FeedMessage, readHistoryMessage } from "../../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import type { IndexUpdater } from "../indexUpdater.ts"
import { conversation } from "../searchTypes.ts"
import { type Conversations, isIncomplete, messageEntry } from "./histories.ts"

const WholeMessage = Schema.Struct({ message: Schema.optionalKey(Schema.Unknown) })

/** Brings what a gateway tells into the index as it's events. Whatever fails here is read again by the next pass. */
export const followConversations = Effect.fnUntraced(function* (
  { client, feed, id: gatewayId }: LinkedGateway,
  { noteDeleted }: Conversations,
  updater: IndexUpdater
) {
  const { ask, report } = updater
  const events = yield* feed.events

  const safely = <A, E extends { readonly message: string }>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => (updater.isRemoved() ? Effect.void : Effect.catch(work, report)))

  const whole = Effect.fnUntraced(function* (said: FeedMessage) {
    const entry = yield* client
      .request("chat.message.get", { sessionKey: said.sessionKey, messageId: said.id }, WholeMessage, {
        background: true
      })
      .pipe(Effect.map(({ message }) => readHistoryMessage(said.sessionKey, message)))
    const found = entry && messageEntry(gatewayId, entry)
    if (found !== undefined) yield* ask("put", [found])
  })

  const onEvents = Effect.fnUntraced(function* (events: ReadonlyArray<FeedEvent>) {
    let entries: Array<NonNullable<ReturnType<typeof messageEntry>>> = []
    const flush = Effect.suspend(() => {
      const batch = entries
      entries = []
      return batch.length === 0 ? Effect.void : safely(ask("put", batch))
    })
    for (const event of events) {
      if (event._tag === "Said") {
        const entry = messageEntry(gatewayId, event.said)
        if (entry !== undefined) entries.push(entry)
        if (isIncomplete(event.said)) yield* Effect.forkScoped(safely(whole(event.said)))
      }
      if (event._tag === "Linked") yield* updater.passSoon
      if (event._tag !== "SessionChanged") continue
      const place = conversation(gatewayId, event.sessionKey)
      if (event.isDeleted) {
        noteDeleted(event.sessionKey)
        yield* flush
        yield* safely(ask("forget", place))
      }
      if (event.isRewritten) {
        yield* flush
        yield* safely(ask("setReadTo", place, -1))
        yield* updater.passSoon
      }
    }
    yield* flush
  })

  yield* Queue.takeAll(events).pipe(Effect.flatMap(onEvents), Effect.forever, Effect.forkScoped)
})
