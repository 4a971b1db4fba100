import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer } from "effect"
import type { Why } from "../../contract/failure.ts"
import type { ClientFrame, LiveTopic } from "../../contract/schema/live.ts"
import { makeConversationTopic } from "./conversationTopic.ts"
import { makeEventFeed } from "./eventFeed.ts"
import { makeGatewayList } from "./gatewayList.ts"
import type { LiveChannel, ShownState } from "./LiveChannel.ts"
import type { LiveSocket } from "./LiveSocket.ts"
import { LIVE_LIMITS } from "./liveLimits.ts"
import type { Reach } from "./Reach.ts"
import { makeRecentStates, type RecentStates } from "./RecentStates.ts"
import { makeSessionTopic } from "./sessionTopic.ts"

/** All sockets of `/api/live`, whichever port they came by, and what they can show. */
export class LiveSockets extends Context.Service<
  LiveSockets,
  {
    /** The id of this process. */
    readonly boot: string
    /** Whether there are as many sockets as there may be. */
    readonly isFull: () => boolean
    /** Counts a socket and lets it hear the time; what it returns ends that. */
    readonly join: (socket: LiveSocket) => () => void
    /** A channel with a session's conversation. */
    readonly conversation: Effect.Success<typeof makeConversationTopic>
    /** What another topic shows on a channel; or why it can't. */
    readonly open: (
      frame: Extract<ClientFrame, { t: "open" }> & { readonly topic: Exclude<LiveTopic, "conversation"> },
      at: { readonly socket: LiveSocket; readonly channel: LiveChannel; readonly reach: Reach }
    ) => Effect.Effect<ShownState | Why>
    /** A person looks at this session on a socket now, or at none. */
    readonly look: (socket: LiveSocket, key: string | null, reach: Reach) => void
    /** What closed channels showed last. */
    readonly recent: RecentStates
    /** A name for the states of a new channel. */
    readonly newEpoch: () => string
    /** How many sockets are open. */
    readonly size: Effect.Effect<number>
  }
>()("agent-console/http/live/LiveSockets") {
  static readonly layer = Layer.effect(
    LiveSockets,
    Effect.gen(function* () {
      const boot = yield* Effect.sync(() => randomUUID().slice(0, 8))
      const events = yield* makeEventFeed
      const gateways = yield* makeGatewayList
      const sessions = yield* makeSessionTopic
      const conversation = yield* makeConversationTopic
      const sockets = new Set<LiveSocket>()
      let epochs = 0

      yield* Effect.sleep(LIVE_LIMITS.tick).pipe(
        Effect.andThen(Clock.currentTimeMillis),
        Effect.tap((now) =>
          Effect.sync(() => {
            for (const socket of sockets) socket.tick(now)
          })
        ),
        Effect.forever,
        Effect.forkScoped
      )

      return LiveSockets.of({
        boot,
        isFull: () => sockets.size >= LIVE_LIMITS.sockets,
        join: (socket) => {
          sockets.add(socket)
          return () => sockets.delete(socket)
        },
        conversation,
        open: (frame, { channel, reach, socket }) => {
          switch (frame.topic) {
            case "events":
              return Effect.sync(() => events(socket, reach))
            case "gateways":
              return gateways(channel, reach)
            case "sessions":
              return Effect.sync(() => sessions.open(channel, frame, reach))
          }
        },
        look: sessions.look,
        recent: makeRecentStates(),
        newEpoch: () => {
          epochs += 1
          return `${boot}-${epochs}`
        },
        size: Effect.sync(() => sockets.size)
      })
    })
  )
}
