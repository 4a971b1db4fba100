import { Effect, Layer, PubSub } from "effect"
import { Board } from "../../board/Board.ts"
import type { RunChange } from "../../board/boardEvents.ts"
import { taskOfSession } from "../../board/runs/runPrompt.ts"
import { activeRun } from "../../board/tasks/taskRules.ts"
import { AgentTokens } from "./AgentTokens.ts"

/** Revokes the tokens that were made for a run when that run ends, also for one that ended while the console was down. */
export const RunTokens = Layer.effectDiscard(
  Effect.gen(function* () {
    const board = yield* Board
    const tokens = yield* AgentTokens
    const changes = yield* board.runChanges

    const revoke = (isOver: (taskId: string, createdAt: number) => Effect.Effect<boolean>) =>
      Effect.gen(function* () {
        for (const { createdAt, id, taskId } of yield* tokens.list)
          if (taskId !== undefined && (yield* isOver(taskId, createdAt))) yield* tokens.remove(id)
      }).pipe(Effect.ignore({ log: "Warn" }))

    const endedMeanwhile = (taskId: string, createdAt: number) =>
      board.get(taskId).pipe(
        Effect.map((task) => activeRun(task) === undefined && (task.run?.endedAt ?? 0) >= createdAt),
        Effect.catchTags({ TaskNotFound: () => Effect.succeed(true), StoreError: () => Effect.succeed(false) })
      )
    const onChange = (change: RunChange) =>
      change.type === "ended"
        ? revoke((taskId) => Effect.succeed(taskOfSession(change.sessionKey) === taskId))
        : Effect.void

    yield* Effect.forkScoped(
      Effect.andThen(revoke(endedMeanwhile), Effect.forever(Effect.flatMap(PubSub.take(changes), onChange)))
    )
  })
)
