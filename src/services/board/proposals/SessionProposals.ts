import { Effect, Layer, Schedule } from "effect"
import { isWhole, saidText } from "../../gateway/feed/feedMessage.ts"
import { EveryGateway } from "../../gateway/registry/EveryGateway.ts"
import { retryWhileUnavailable } from "../../platform/sqlite/Sqlite.ts"
import { Board } from "../Board.ts"

/** A store that fails, such as on a full disk, is tried again for a minute. */
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

/**
 * Turns the task markers in every session's responses into proposals, also in those that ended while the console was
 * down. Runs of the board are left out: their responses are read when they end.
 */
export const SessionProposals = Layer.effectDiscard(
  Effect.gen(function* () {
    const board = yield* Board
    const every = yield* EveryGateway
    yield* every.each(({ feed, id: gatewayId }) =>
      feed.follow((event) => {
        if (event._tag !== "Said" || !isWhole(event.said)) return Effect.void
        const { at, id, message, runId, sessionKey } = event.said
        return board.proposeFromSession({ gatewayId, sessionKey, runId, messageId: id, at }, saidText(message)).pipe(
          Effect.retry(AGAIN),
          Effect.retry(retryWhileUnavailable),
          Effect.catch((error) =>
            Effect.logWarning(`Couldn't store what an agent proposed in ${sessionKey}: ${error.message}`)
          )
        )
      })
    )
  })
)
