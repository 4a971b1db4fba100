import { Effect, Layer, PubSub } from "effect"
import { AgentLog } from "../knowledge/agentlog/AgentLog.ts"
import { Board } from "./Board.ts"

/** Logs what agents do for the board. A log that can't be written doesn't hold anything up. */
export const BoardLog = Layer.effectDiscard(
  Effect.gen(function* () {
    const board = yield* Board
    const log = yield* AgentLog
    const notes = yield* board.notes
    yield* PubSub.take(notes).pipe(
      Effect.flatMap((note) => Effect.ignore(log.append({ ...note }))),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
