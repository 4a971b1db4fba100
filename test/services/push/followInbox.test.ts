import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue } from "effect"
import type { InboxChange } from "../../../src/contract/schema/inbox.ts"
import { Inbox } from "../../../src/services/inbox/Inbox.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { followInbox } from "../../../src/services/push/followInbox.ts"
import { PushDevices } from "../../../src/services/push/PushDevices.ts"
import { PushSender } from "../../../src/services/push/PushSender.ts"
import { ended, opened } from "../../support/pushServices.ts"

/** More than the bus keeps for a slow reader. */
const MANY = 3_000

const start = Effect.gen(function* () {
  const reacted = yield* Queue.unbounded<InboxChange>()
  const store = yield* Deferred.make<void>()
  const Mocks = Layer.mergeAll(
    Layer.mock(Inbox, { list: () => Effect.as(Deferred.await(store), { items: [], total: 0, open: 0 }) }),
    Layer.mock(PushDevices, { off: undefined, checkKey: Effect.void }),
    Layer.mock(PushSender, {
      resume: () => Effect.void,
      react: (change) => Effect.andThen(Deferred.await(store), Queue.offer(reacted, change))
    })
  )
  const bus = yield* EventBus
  yield* Layer.build(followInbox.pipe(Layer.provide(Mocks)))
  /** Something else happens many times, as when a board is imported; others go on in between. */
  const storm = Effect.forEach(
    Array.from({ length: MANY }, (_, index) => String(index)),
    (id) =>
      Effect.andThen(
        bus.publish({ event: "kanban.changed", data: { kind: "task", action: "deleted", id } }),
        Effect.yieldNow
      ),
    { discard: true }
  )
  return { bus, storm, reacted, answerStore: Deferred.succeed(store, undefined) }
})

describe("what comes into the inbox and leaves it", () => {
  it.effect("is sent, whatever else happens while the store is slow", () =>
    Effect.gen(function* () {
      const { answerStore, bus, reacted, storm } = yield* start
      yield* bus.publish({ event: "inbox.changed", data: opened() })
      yield* storm
      yield* bus.publish({ event: "inbox.changed", data: ended() })
      yield* storm
      yield* answerStore
      assert.strictEqual((yield* Queue.take(reacted)).action, "opened")
      assert.strictEqual((yield* Queue.take(reacted)).action, "resolved")
    }).pipe(Effect.provide(EventBus.layer))
  )
})
