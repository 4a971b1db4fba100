import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { StoreError } from "../../../../src/services/platform/sqlite/Sqlite.ts"
import { boardWorldOn } from "../boardWorld.ts"
import { makeFakeGateway, unreachable } from "../fakeGateway.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("faults of runs", ({ makeBoardWorld, base: empty }) => {
  it.effect("a run ends with the reason of its last poll when no poll worked", () =>
    Effect.gen(function* () {
      const { board, runs, gateway, settle, until, pass } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "Write the report" })
      yield* runs.execute(id, {})
      yield* settle
      gateway.refuseWith(({ method }) => (method === "agent.wait" ? unreachable : undefined))
      yield* pass("30 minutes")
      const task = yield* until(id, (found) => found.status === "todo")
      assert.strictEqual(task.run?.error, unreachable.message)
    })
  )

  it.effect("a run is launched as soon as its card can be read again", () =>
    Effect.gen(function* () {
      const gateway = yield* makeFakeGateway
      const base = yield* empty
      let faults = 0
      const fault = new StoreError({ reason: "other", message: "the disk does not answer" })
      const { board, pass } = yield* boardWorldOn(gateway, base, (board) => ({
        ...board,
        get: (id) => Effect.suspend(() => (faults-- > 0 ? Effect.fail(fault) : board.get(id)))
      }))
      const { id } = yield* board.create({ title: "T" })
      faults = 2
      yield* board.begin(id, {}, "main")
      yield* pass("1 second")
      assert.strictEqual(gateway.count("chat.send"), 0)
      yield* pass("10 seconds")
      assert.strictEqual(gateway.count("chat.send"), 1)
    })
  )

  it.effect("a run whose stop is listed again while it comes to its end is stopped once", () =>
    Effect.gen(function* () {
      const gateway = yield* makeFakeGateway
      const base = yield* empty
      const listed = yield* Deferred.make<void>()
      const noted = yield* Deferred.make<void>()
      const { board, runs, settle } = yield* boardWorldOn(gateway, base, (board) => ({
        ...board,
        runs: (state) =>
          board.runs(state).pipe(
            Effect.tap((orders) =>
              // The list of both runs arrives when the first one's stop is over.
              state === "stopping" && orders.length === 2
                ? Deferred.succeed(listed, undefined).pipe(
                    Effect.andThen(Deferred.await(noted)),
                    Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 10 }))
                  )
                : Effect.void
            )
          ),
        stopped: (sessionKey) =>
          Effect.andThen(Deferred.await(listed), board.stopped(sessionKey)).pipe(
            Effect.andThen(Deferred.succeed(noted, undefined))
          )
      }))
      const ids = [(yield* board.create({ title: "One" })).id, (yield* board.create({ title: "Two" })).id]
      for (const id of ids) yield* runs.execute(id, {})
      yield* settle
      for (const id of ids) {
        yield* board.abort(id, {})
        yield* settle
      }
      yield* settle
      assert.deepStrictEqual(
        gateway.calls.filter(({ method }) => method === "chat.abort").map(({ params }) => params.sessionKey),
        ids.map((id) => `agent:main:task-${id}-1`)
      )
      assert.deepStrictEqual(yield* board.runs("stopping"), [])
    })
  )
})
