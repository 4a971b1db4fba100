import { Effect, Queue, Schema } from "effect"
import type { FeedEvent } from "../../gateway/feed/FeedEvent.ts"
import { type FeedMessage, readHistoryMessage } from "../../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import type { IndexKeeper } from "../indexKeeper.ts"
import { conversation } from "../searchTypes.ts"
import type { Conversations } from "./conversations.ts"
import { isIncomplete, messageEntry } from "./messageEntry.ts"

const WholeMessage = Schema.Struct({ message: Schema.optionalKey(Schema.Unknown) })

/** Brings what a gateway tells into the index as it's told. Whatever fails here is read again by the next look. */
export const followConversations = Effect.fnUntraced(function* (
  { client, feed, id: gatewayId }: LinkedGateway,
  { noteDeleted }: Conversations,
  keeper: IndexKeeper
) {
  const { ask, report } = keeper
  const events = yield* feed.events

  const safely = <A, E extends { readonly message: string }>(work: Effect.Effect<A, E>) =>
    Effect.suspend(() => (keeper.isRemoved() ? Effect.void : Effect.catch(work, report)))

  const whole = Effect.fnUntraced(function* (said: FeedMessage) {
    const entry = yield* client
      .request("chat.message.get", { sessionKey: said.sessionKey, messageId: said.id }, WholeMessage, {
        background: true
      })
      .pipe(Effect.map(({ message }) => readHistoryMessage(said.sessionKey, message)))
    const found = entry && messageEntry(gatewayId, entry)
    if (found !== undefined) yield* ask("put", [found])
  })

  const hear = Effect.fnUntraced(function* (told: ReadonlyArray<FeedEvent>) {
    let entries: Array<NonNullable<ReturnType<typeof messageEntry>>> = []
    const flush = Effect.suspend(() => {
      const batch = entries
      entries = []
      return batch.length === 0 ? Effect.void : safely(ask("put", batch))
    })
    for (const event of told) {
      if (event._tag === "Said") {
        const entry = messageEntry(gatewayId, event.said)
        if (entry !== undefined) entries.push(entry)
        if (isIncomplete(event.said)) yield* Effect.forkScoped(safely(whole(event.said)))
      }
      if (event._tag === "Linked") yield* keeper.lookSoon
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
        yield* keeper.lookSoon
      }
    }
    yield* flush
  })

  yield* Queue.takeAll(events).pipe(Effect.flatMap(hear), Effect.forever, Effect.forkScoped)
})
