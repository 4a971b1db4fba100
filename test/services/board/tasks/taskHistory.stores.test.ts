import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { asAgent, PersonName } from "../../../../src/services/board/BoardPerson.ts"
import { exportBoard, importBoard } from "../../../../src/services/board/boardArchive.ts"
import { onEveryStore } from "../onEveryStore.ts"

const named = Effect.provideService(PersonName, "Ada")

onEveryStore("who did what on a board", ({ makeBoardWorld }) => {
  it.effect("is kept under the person's name, with the columns", () =>
    Effect.gen(function* () {
      const { board, changes, gateway, runs, settle, until } = yield* named(makeBoardWorld())
      const { id, createdBy, version, history } = yield* board.create({ title: "T", status: "backlog" })
      assert.strictEqual(createdBy, "Ada")
      assert.isUndefined(history)
      const renamed = yield* board.patch(id, { version, title: "Same column" })
      assert.isUndefined(renamed.history)
      yield* board.reorder(id, { version: renamed.version, targetStatus: "todo", targetIndex: 0 })
      yield* runs.execute(id, {})
      yield* settle
      yield* board.abort(id, { note: "Not now" })
      yield* runs.execute(id, {})
      yield* settle
      yield* gateway.finish("Done.")
      yield* until(id, ({ status }) => status === "review")
      yield* board.reject(id, { note: "Again" })
      yield* runs.execute(id, {})
      yield* settle
      yield* gateway.finish("Done.")
      yield* until(id, ({ status }) => status === "review")
      const done = yield* board.approve(id, { note: "Well" })
      const read = yield* board.get(id)
      assert.deepStrictEqual(read, done)
      assert.deepStrictEqual(
        read.history?.map(({ by, from, to, what }) => [by, what, from, to]),
        [
          ["Ada", "moved", "backlog", "todo"],
          ["Ada", "started", "todo", "in-progress"],
          ["Ada", "stopped", "in-progress", "todo"],
          ["Ada", "started", "todo", "in-progress"],
          ["Ada", "sent-back", "review", "todo"],
          ["Ada", "started", "todo", "in-progress"],
          ["Ada", "approved", "review", "done"]
        ]
      )
      assert.deepStrictEqual(
        read.feedback.map(({ by, note }) => [by, note]),
        [
          ["Ada", "Not now"],
          ["Ada", "Again"],
          ["Ada", "Well"]
        ]
      )
      assert.deepStrictEqual((yield* changes).at(-1)?.task, done)
    })
  )

  it.effect("distinguishes an agent that uses the board from the console's person", () =>
    Effect.gen(function* () {
      const { board } = yield* named(makeBoardWorld())
      const { id, createdBy } = yield* board.create({ title: "T", createdBy: "agent:helper" })
      assert.strictEqual(createdBy, "agent:helper")
      const moved = yield* asAgent("agent:helper")(board.patch(id, { version: 1, status: "review" }))
      assert.deepStrictEqual(
        moved.history?.map(({ by }) => by),
        ["agent:helper"]
      )
    })
  )

  it.effect("names nobody where the console doesn't know its person", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const { id, createdBy } = yield* board.create({ title: "T" })
      assert.strictEqual(createdBy, "operator")
      yield* asAgent("agent:helper")(board.patch(id, { version: 1, status: "review" }))
      const done = yield* board.approve(id, { note: "Well" })
      assert.notProperty(done, "history")
      assert.strictEqual(done.feedback[0]?.by, "operator")
    })
  )

  it.effect("goes with the card into an export and onto another board", () =>
    Effect.gen(function* () {
      const { board, store } = yield* named(makeBoardWorld())
      const { id } = yield* board.create({ title: "T", status: "review" })
      const done = yield* board.approve(id, {})
      const archive = yield* store.read(exportBoard)
      assert.deepStrictEqual(archive.tasks[0]?.task.history, done.history)
      yield* store.mutate((db) => importBoard(db, archive, { replace: true }))
      assert.deepStrictEqual(yield* board.get(id), done)
      assert.deepStrictEqual((yield* board.list({ statuses: [], priorities: [], limit: 50, offset: 0 })).items, [done])
    })
  )
})
