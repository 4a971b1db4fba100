import { Effect } from "effect"
import { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { Task } from "../../contract/schema/task.ts"
import { Board } from "../../services/board/Board.ts"
import { BoardRuns } from "../../services/board/runs/BoardRuns.ts"
import { Templates } from "../../services/board/templates/Templates.ts"
import { routeHandlers } from "../Api.ts"
import { keptAnswer, ownAnswer, ownText } from "../apiResponse.ts"
import { taskQuery } from "../queryFields.ts"

/** Each board route is one call to the board. */
export const BoardHandlers = routeHandlers(
  "board",
  Effect.fn(function* (handlers) {
    const board = yield* Board
    const runs = yield* BoardRuns
    const templates = yield* Templates
    const config = keptAnswer(BoardConfig, (kept: BoardConfig) => kept)
    return handlers.handleAll({
      list: ({ query }) => Effect.map(board.listText(taskQuery(query)), ownText),
      create: ({ payload }) =>
        payload.templateId === undefined
          ? Effect.map(board.create(payload), ownAnswer(Task, 201))
          : Effect.map(templates.createTask(payload), ownAnswer(Task, 201)),
      patch: ({ params, payload }) => Effect.map(board.patch(params.id, payload), ownAnswer(Task)),
      remove: ({ params }) => Effect.as(board.remove(params.id), { ok: true as const }),
      reorder: ({ params, payload }) => Effect.map(board.reorder(params.id, payload), ownAnswer(Task)),
      execute: ({ params, payload }) => runs.execute(params.id, payload ?? {}),
      complete: ({ params, payload }) => board.complete(params.id, payload ?? {}),
      approve: ({ params, payload }) => board.approve(params.id, payload ?? {}),
      reject: ({ params, payload }) => board.reject(params.id, payload),
      abort: ({ params, payload }) => board.abort(params.id, payload ?? {}),
      comments: ({ params }) => Effect.map(board.comments(params.id), (comments) => ({ comments })),
      attempts: ({ params }) => Effect.map(board.attempts(params.id), (attempts) => ({ attempts })),
      comment: ({ params, payload }) => board.comment(params.id, payload),
      removeComment: ({ params }) => Effect.as(board.removeComment(params.id, params.commentId), { ok: true as const }),
      views: () => Effect.map(board.views, (views) => ({ views })),
      saveView: ({ params, payload }) => board.saveView(params.id, payload),
      removeView: ({ params }) => Effect.as(board.removeView(params.id), { ok: true as const }),
      proposals: ({ query }) => Effect.map(board.proposals(query.status), (proposals) => ({ proposals })),
      propose: ({ payload }) => board.propose(payload),
      approveProposal: ({ params }) => board.approveProposal(params.id),
      rejectProposal: ({ params, payload }) =>
        Effect.map(board.rejectProposal(params.id, payload ?? {}), (proposal) => ({ proposal })),
      config: () => Effect.map(board.config, config),
      updateConfig: ({ payload }) => board.updateConfig(payload)
    })
  })
)
