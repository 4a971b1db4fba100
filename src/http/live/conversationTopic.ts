import { Effect, Exit, FiberSet, Scope } from "effect"
import { keyParts } from "../../contract/qualifiedKey.ts"
import { Conversations } from "../../services/conversations/Conversations.ts"
import { ConversationChannel, type LiveRate } from "./ConversationChannel.ts"
import type { LiveSocket } from "./LiveSocket.ts"
import type { Reach } from "./Reach.ts"

/** What a client says when it opens a channel with a conversation. */
export interface ConversationOpening {
  readonly c: number
  readonly key: string
  readonly rate: LiveRate
  readonly have?: { readonly e: string; readonly s: number }
}

/** The topic `conversation`: what is said and done in a session. */
export const makeConversationTopic = Effect.gen(function* () {
  const conversations = yield* Conversations
  const scope = yield* Effect.scope
  const run = yield* FiberSet.makeRuntime<never>()

  return (socket: LiveSocket, reach: Reach, { c, have, key, rate }: ConversationOpening): ConversationChannel => {
    const channel = new ConversationChannel(socket, c, rate, (then) => {
      run(Effect.andThen(Effect.sleep("1 second"), Effect.sync(then)))
    })
    if (!reach.has(keyParts(key).gatewayId) && !reach.isEverything) {
      channel.gone("NOT_TRUSTED")
      return channel
    }
    run(
      Effect.gen(function* () {
        const own = yield* Scope.fork(scope)
        const first = yield* conversations
          .look(key, {
            published: (published) => channel.published(published),
            ended: (turn) => channel.ended(turn),
            gone: () => channel.gone("GATEWAY_REMOVED")
          })
          .pipe(
            Scope.provide(own),
            Effect.onError(() => Scope.close(own, Exit.void))
          )
        channel.show(first, have, () => {
          run(Scope.close(own, Exit.void))
        })
      }).pipe(Effect.catch(() => Effect.sync(() => channel.gone("UNKNOWN_GATEWAY"))))
    )
    return channel
  }
})
