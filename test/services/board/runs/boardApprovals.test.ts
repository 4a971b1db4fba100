import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeBoardWorld } from "../boardWorld.ts"
import { asks, follows, ID } from "./askedRun.ts"

const started = Effect.gen(function* () {
  const world = yield* makeBoardWorld()
  const { id } = yield* world.board.create({ title: "Clean up" })
  yield* world.runs.execute(id, {})
  yield* world.settle
  return { ...world, id }
})

describe("a card whose agent asked for permission before its turn ended", () => {
  /** The agent asks, and its turn ends; `isHeard` is whether the console was connected. */
  const asked = Effect.fnUntraced(function* (isHeard: boolean, command = "rm -r old") {
    const world = yield* started
    const { gateway, board, id, pass } = world
    if (isHeard) yield* gateway.ask(ID, command)
    // The history may lag behind the end of a turn.
    yield* gateway.finish("I asked.", { silent: !isHeard })
    yield* world.settle
    yield* gateway.write(asks(command))
    for (const time of ["4 seconds", "100 seconds"] as const) {
      yield* pass(time)
      assert.strictEqual((yield* board.get(id)).status, "in-progress")
    }
    return world
  })

  it.effect.each([true, false])("is finished when the agent has said what became of it: heard %s", (isHeard) =>
    Effect.gen(function* () {
      const { board, gateway, id, pass, until } = yield* asked(isHeard)
      yield* gateway.write(follows("finished", "code 0"))
      yield* pass("10 seconds")
      assert.strictEqual((yield* board.get(id)).status, "in-progress")
      yield* gateway.finish("It's gone.", { silent: true })
      yield* pass("5 seconds")
      const task = yield* until(id, ({ status }) => status === "review")
      assert.strictEqual(task.result, "I asked.\n\nIt's gone.")
      assert.isUndefined(task.run?.note)
    })
  )

  it.effect("says so when it wasn't allowed", () =>
    Effect.gen(function* () {
      const { gateway, id, pass, until } = yield* asked(true)
      yield* gateway.write(follows("denied", "user-denied"))
      yield* gateway.finish("I couldn't.", { silent: true })
      yield* pass("5 seconds")
      const task = yield* until(id, ({ status }) => status === "review")
      assert.strictEqual(task.run?.note, "The command “rm -r old” wasn't allowed.")
    })
  )

  it.effect("is finished without output if the gateway doesn't notify its agent", () =>
    Effect.gen(function* () {
      const { board, gateway, id, pass, until } = yield* asked(true)
      yield* gateway.decide(ID, "deny")
      yield* pass("5 seconds")
      assert.strictEqual((yield* board.get(id)).status, "in-progress")
      yield* pass("10 seconds")
      const task = yield* until(id, ({ status }) => status === "review")
      assert.deepInclude(task, { result: "I asked." })
      assert.strictEqual(task.run?.note, "The command “rm -r old” wasn't allowed.")
    })
  )

  it.effect("says so when the agent was never told about a command that was allowed", () =>
    Effect.gen(function* () {
      const { gateway, id, pass, until } = yield* asked(true)
      yield* gateway.decide(ID, "allow-once")
      yield* pass("70 seconds")
      const task = yield* until(id, ({ status }) => status === "review")
      assert.strictEqual(
        task.run?.note,
        "The command “rm -r old” was allowed, but the agent was never told what came of it."
      )
      assert.deepStrictEqual(task.run?.noteWhy, [{ code: "COMMAND_UNREPORTED", values: { command: "rm -r old" } }])
    })
  )

  it.effect("has one line for each command on the card", () =>
    Effect.gen(function* () {
      const { gateway, id, pass, until } = yield* asked(true, "cat <<E\n1\nE")
      yield* gateway.decide(ID, "deny")
      yield* pass("15 seconds")
      const { run } = yield* until(id, ({ status }) => status === "review")
      assert.strictEqual(run?.note, "The command “cat <<E 1 E” wasn't allowed.")
      assert.strictEqual(run?.noteWhy?.length, 1)
    })
  )

  it.effect("is over when a person takes it away", () =>
    Effect.gen(function* () {
      const { board, gateway, id, pass } = yield* asked(true)
      const { version } = yield* board.get(id)
      yield* board.patch(id, { version, status: "todo" })
      yield* gateway.write(follows("denied", "user-denied"))
      yield* gateway.finish("Late.", { silent: true })
      yield* pass("10 seconds")
      const task = yield* board.get(id)
      assert.deepStrictEqual([task.status, task.run?.status, task.result], ["todo", "aborted", undefined])
    })
  )
})
