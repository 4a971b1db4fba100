import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Board } from "../../../../src/services/board/Board.ts"
import { boardWorldOn } from "../boardWorld.ts"
import { makeFakeGateway } from "../fakeGateway.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("restarts", ({ base: empty }) => {
  describe("after a restart of the console", () => {
    const restarted = Effect.fnUntraced(function* (
      between: (gateway: Effect.Success<typeof makeFakeGateway>) => Effect.Effect<void>
    ) {
      const gateway = yield* makeFakeGateway
      const base = yield* empty
      const first = yield* Scope.make()
      const id = yield* Effect.gen(function* () {
        const { board, runs, settle } = yield* boardWorldOn(gateway, base)
        const task = yield* board.create({ title: "T" })
        yield* runs.execute(task.id, {})
        yield* settle
        return task.id
      }).pipe(Scope.provide(first))
      yield* Scope.close(first, Exit.void)
      yield* between(gateway)
      const world = yield* boardWorldOn(gateway, base)
      yield* world.settle
      return { ...world, id }
    })

    it.effect("a run goes on and is not sent again", () =>
      Effect.gen(function* () {
        const { gateway, id, until, settle } = yield* restarted(() => Effect.void)
        yield* settle
        assert.strictEqual(gateway.count("chat.send"), 1)
        yield* gateway.finish("After the restart.")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "After the restart.")
      })
    )

    it.effect("a run that ended meanwhile is found by the next poll", () =>
      Effect.gen(function* () {
        const { id, until, pass } = yield* restarted((gateway) => gateway.finish("Meanwhile.", { silent: true }))
        yield* pass("5 seconds")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Meanwhile.")
      })
    )

    it.effect("a run's 30 minutes count from its start", () =>
      Effect.gen(function* () {
        const { id, until, pass, board } = yield* restarted(() => TestClock.adjust("29 minutes"))
        yield* pass("59 seconds")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* pass("1 second")
        assert.strictEqual(
          (yield* until(id, (found) => found.status === "todo")).run?.error,
          "timed out after 30 minutes"
        )
      })
    )

    it.effect("a clock that was set back gives a run no more than 30 minutes", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(7_200_000)
        const { id, until, pass, board } = yield* restarted(() => TestClock.setTime(0))
        yield* pass("1799 seconds")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* pass("1 second")
        const task = yield* until(id, (found) => found.status === "todo")
        assert.isAtLeast(task.updatedAt, 7_200_000)
        assert.isAtLeast(task.run?.endedAt ?? 0, task.run?.startedAt ?? 1)
      })
    )

    it.effect("a run whose prompt never left is sent", () =>
      Effect.gen(function* () {
        const gateway = yield* makeFakeGateway
        const base = yield* empty
        const context = yield* Layer.build(Board.layer.pipe(Layer.provide(Layer.succeedContext(base))))
        const board = Context.get(context, Board)
        const { id } = yield* board.create({ title: "T" })
        yield* board.begin(id, {}, "main")
        const { until } = yield* boardWorldOn(gateway, base)
        yield* until(id, () => gateway.count("chat.send") === 1)
      })
    )
  })
})
