import { Effect } from "effect"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import type { AskSearch } from "../SearchThread.ts"
import { makeHistories } from "./histories.ts"

/** From this protocol generation on, the gateway keeps its conversations where the console can't read them. */
const WITHOUT_TRANSCRIPTS = 4

export interface Conversations {
  /** Reads those that only the gateway itself has, as far as they have changed. */
  readonly read: (ask: AskSearch, onProgress: (progress: number) => void) => Effect.Effect<void, SearchFailure>
  /** One was deleted: what's still on its way of it isn't stored. */
  readonly noteDeleted: (sessionKey: string) => void
}

type SearchFailure = Effect.Error<ReturnType<AskSearch>>

/** The conversations of a gateway; `isOnDisk` tells whether an older one's are read from files. */
export const gatewayConversations = (
  { client, id }: Pick<LinkedGateway, "client" | "id">,
  isOnDisk: Effect.Effect<boolean>
): Conversations => {
  /** Conversations that were deleted while histories were read. */
  const deleted = new Set<string>()
  return {
    read: Effect.fnUntraced(function* (ask, onProgress) {
      const connection = yield* client.connection
      if (connection === undefined) return
      const isNew = connection.protocol >= WITHOUT_TRANSCRIPTS
      if (!isNew && (yield* isOnDisk)) return
      deleted.clear()
      const isDeleted = (key: string) => deleted.has(key)
      yield* makeHistories({ gateway: client, gatewayId: id, ask, isDeleted, onProgress })(isNew).pipe(
        Effect.catchTag("GatewayError", ({ message }) =>
          Effect.logWarning(`Couldn't read all conversations for the search: ${message}`)
        )
      )
    }),
    noteDeleted: (sessionKey) => {
      deleted.add(sessionKey)
    }
  }
}
