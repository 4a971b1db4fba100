import { Effect, Layer, PubSub, Queue } from "effect"
import { MAX_INBOX_PAGE } from "../../contract/inbox.ts"
import type { InboxChange, InboxItem } from "../../contract/schema/inbox.ts"
import { Inbox } from "../inbox/Inbox.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { PushDevices } from "./PushDevices.ts"
import { PushSender } from "./PushSender.ts"

/** Sends the inbox's new and ended items while the process runs. */
export const followInbox = Layer.effectDiscard(
  Effect.gen(function* () {
    const inbox = yield* Inbox
    const devices = yield* PushDevices
    const sender = yield* PushSender
    const published = yield* (yield* EventBus).subscribe
    const changes = yield* Queue.unbounded<InboxChange>()
    // The bus drops events for a slow subscriber.
    yield* PubSub.take(published).pipe(
      Effect.flatMap((event) => (event.event === "inbox.changed" ? Queue.offer(changes, event.data) : Effect.void)),
      Effect.forever,
      Effect.forkScoped
    )

    const everythingOpen = Effect.gen(function* () {
      const items: Array<InboxItem> = []
      for (;;) {
        const page = yield* inbox.list({ state: "open", kinds: [], limit: MAX_INBOX_PAGE, offset: items.length })
        items.push(...page.items)
        if (page.items.length === 0 || items.length >= page.total) return items
      }
    })

    yield* devices.checkKey.pipe(
      Effect.andThen(everythingOpen),
      Effect.flatMap(sender.resume),
      // The cause was logged where it failed; later items are sent all the same.
      Effect.catchTag("StoreError", () => Effect.void),
      Effect.andThen(Effect.forever(Effect.flatMap(Queue.take(changes), sender.react))),
      Effect.forkScoped
    )
  })
)
