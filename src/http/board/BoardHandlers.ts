import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Board } from "../../services/board/Board.ts"
import { BoardRuns } from "../../services/board/BoardRuns.ts"
import { Api } from "../Api.ts"
import { taskQuery } from "./taskQuery.ts"

/** Each route of the board is one call of the board. */
export const BoardHandlers = HttpApiBuilder.group(
  Api,
  "board",
  Effect.fn(function* (handlers) {
    const board = yield* Board
    const runs = yield* BoardRuns
    return handlers.handleAll({
      list: ({ query }) => board.list(taskQuery(query)),
      create: ({ payload }) => board.create(payload),
      patch: ({ params, payload }) => board.patch(params.id, payload),
      remove: ({ params }) => Effect.as(board.remove(params.id), { ok: true as const }),
      reorder: ({ params, payload }) => board.reorder(params.id, payload),
      execute: ({ params, payload }) => runs.execute(params.id, payload ?? {}),
      complete: ({ params, payload }) => board.complete(params.id, payload ?? {}),
      approve: ({ params, payload }) => board.approve(params.id, payload ?? {}),
      reject: ({ params, payload }) => board.reject(params.id, payload),
      abort: ({ params, payload }) => board.abort(params.id, payload ?? {}),
      proposals: ({ query }) => Effect.map(board.proposals(query.status), (proposals) => ({ proposals })),
      propose: ({ payload }) => board.propose(payload),
      approveProposal: ({ params }) => board.approveProposal(params.id),
      rejectProposal: ({ params, payload }) =>
        Effect.map(board.rejectProposal(params.id, payload ?? {}), (proposal) => ({ proposal })),
      config: () => board.config,
      updateConfig: ({ payload }) => board.updateConfig(payload)
    })
  })
)
