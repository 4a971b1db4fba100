import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { AgentTokens } from "../../../../src/services/access/agents/AgentTokens.ts"
import { RunTokens } from "../../../../src/services/access/agents/RunTokens.ts"
import { Board } from "../../../../src/services/board/Board.ts"
import { boardInMemory } from "../../../support/boardStores.ts"
import { flowWorldOn } from "../../board/automatic/flowWorld.ts"

/** A board whose cards start by themselves, with the tokens that agents use; `watch` is what revokes those of runs. */
const world = Effect.gen(function* () {
  const base = yield* Layer.build(boardInMemory)
  const flow = yield* flowWorldOn(base)
  const built = yield* Layer.build(AgentTokens.layer.pipe(Layer.provide(Layer.succeedContext(base))))
  const tokens = Context.get(built, AgentTokens)
  const watch = Effect.andThen(
    Layer.build(
      RunTokens.pipe(Layer.provide(Layer.succeedContext(built)), Layer.provide(Layer.succeed(Board, flow.board)))
    ),
    flow.settle
  )
  const give = (name: string, taskId?: string) =>
    tokens.create({ name, rights: [], ...(taskId === undefined ? {} : { taskId }) })
  const left = Effect.andThen(
    flow.settle,
    Effect.map(tokens.list, (all) => all.map(({ name }) => name).toSorted())
  )
  yield* flow.board.updateConfig({ reviewRequired: false, parallel: { total: 50, perAgent: 20 } })
  return { ...flow, give, left, watch }
})

describe("tokens for runs", () => {
  it.effect("are revoked when the run of their card ends, however it ends; others stay", () =>
    Effect.gen(function* () {
      const { add, board, fail, finish, give, left, watch } = yield* world
      yield* watch
      const ids = new Map<string, string>()
      for (const title of ["aborted", "done", "failed", "going on", "removed"]) {
        const { id } = yield* add(title)
        ids.set(title, id)
        yield* give(title, id)
      }
      yield* give("no card's")
      assert.deepStrictEqual(yield* left, ["aborted", "done", "failed", "going on", "no card's", "removed"])
      yield* finish("done")
      assert.deepStrictEqual(yield* left, ["aborted", "failed", "going on", "no card's", "removed"])
      yield* fail("failed")
      assert.deepStrictEqual(yield* left, ["aborted", "going on", "no card's", "removed"])
      yield* board.abort(ids.get("aborted") ?? "", {})
      assert.deepStrictEqual(yield* left, ["going on", "no card's", "removed"])
      yield* board.remove(ids.get("removed") ?? "")
      assert.deepStrictEqual(yield* left, ["going on", "no card's"])
    })
  )

  it.effect("of runs that ended while the console was down are revoked when it starts", () =>
    Effect.gen(function* () {
      const { add, board, card, finish, give, left, pass, watch } = yield* world
      for (const title of ["ended", "removed", "going on", "again"]) yield* give(title, (yield* add(title)).id)
      yield* finish("ended")
      yield* finish("again")
      yield* board.remove((yield* card("removed")).id)
      yield* pass("1 minute")
      // Made after the run had ended, so it's for the next one.
      yield* give("next", (yield* card("again")).id)
      yield* give("not begun", (yield* add("later", { autoStart: false })).id)
      yield* watch
      assert.deepStrictEqual(yield* left, ["going on", "next", "not begun"])
    })
  )
})
