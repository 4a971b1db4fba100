import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readAnswer } from "../../../src/services/board/proposals/readAnswer.ts"
import { type Call, unreachable } from "./fakeGateway.ts"
import { onEveryStore } from "./onEveryStore.ts"

onEveryStore("faults", ({ makeBoardWorld }) => {
  const MEGABYTE = 1_000_000

  describe("the gateway gone", () => {
    const only = (method: string) => (call: Call) => (call.method === method ? unreachable : undefined)

    it.effect("while the agents are asked for: the run goes to the main one", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, settle } = yield* makeBoardWorld()
        gateway.refuseWith(only("agents.list"))
        const { id } = yield* board.create({ title: "T", assignee: "agent:writer" })
        yield* runs.execute(id, {})
        yield* settle
        assert.strictEqual(gateway.sent()?.sessionKey, `agent:main:task-${id}-1`)
      })
    )

    it.effect("while the models are asked for: the fallback is tried", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, settle } = yield* makeBoardWorld()
        gateway.refuseWith(only("models.list"))
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        assert.strictEqual(gateway.count("chat.send"), 1)
      })
    )

    it.effect.each(["sessions.patch", "chat.send"])(
      "at %s: the run ends with the reason, and what may have begun is stopped",
      (method) =>
        Effect.gen(function* () {
          const { board, runs, gateway, until, settle } = yield* makeBoardWorld()
          gateway.refuseWith(only(method))
          const { id } = yield* board.create({ title: "T" })
          yield* runs.execute(id, {})
          const task = yield* until(id, (found) => found.status === "todo")
          assert.deepStrictEqual([task.run?.status, task.run?.error], ["error", unreachable.message])
          yield* settle
          assert.strictEqual(gateway.count("chat.abort"), 1)
          assert.lengthOf(yield* board.runs("stopping"), 0)
          // And it can be run again, in a session of its own.
          gateway.refuseWith(() => undefined)
          yield* runs.execute(id, {})
          yield* settle
          assert.strictEqual(gateway.sent()?.sessionKey, `agent:main:task-${id}-2`)
        })
    )

    it.effect.each(["agent.wait", "chat.history", "sessions.list"])(
      "at %s of a poll: the next poll asks again",
      (method) =>
        Effect.gen(function* () {
          const { board, runs, gateway, until, pass, settle } = yield* makeBoardWorld()
          const { id } = yield* board.create({ title: "T" })
          yield* runs.execute(id, {})
          yield* settle
          gateway.refuseWith(only(method))
          yield* gateway.finish("Done.", { silent: true })
          yield* pass("20 seconds")
          assert.strictEqual((yield* board.get(id)).status, "in-progress")
          gateway.refuseWith(() => undefined)
          yield* pass("5 seconds")
          assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Done.")
        })
    )

    it.effect("right after the final event: the event's own text is kept", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, until, settle } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        gateway.refuseWith(() => unreachable)
        yield* gateway.finish("Done.")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Done.")
      })
    )
  })

  describe("a run that the poller finds over", () => {
    it.effect("is reported on the event stream like any other change", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, until, changes, pass, settle } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        yield* changes
        yield* gateway.finish('Done. [kanban:create]{"title":"Next"}[/kanban:create]', { silent: true })
        yield* pass("5 seconds")
        const task = yield* until(id, (found) => found.status === "review")
        const seen = yield* changes
        assert.deepStrictEqual(
          seen.map(({ kind, action }) => [kind, action]),
          [
            ["task", "moved"],
            ["proposal", "created"]
          ]
        )
        assert.deepStrictEqual(seen[0]?.task, task)
      })
    )

    it.effect("by its time limit is reported, too", () =>
      Effect.gen(function* () {
        const { board, runs, until, changes, pass, settle } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        yield* changes
        yield* pass("30 minutes")
        const task = yield* until(id, (found) => found.status === "todo")
        assert.deepStrictEqual(
          (yield* changes).map(({ kind, action, version }) => [kind, action, version]),
          [["task", "moved", task.version]]
        )
      })
    )
  })

  describe("a clock that is set back", () => {
    it.effect("turns no task's time, no order and no version back", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        yield* TestClock.setTime(10_000_000)
        const first = yield* board.create({ title: "first" })
        const earlier = yield* board.propose({ type: "create", payload: { title: "earlier" } })
        yield* TestClock.setTime(1000)
        const patched = yield* board.patch(first.id, { version: 1, title: "changed" })
        assert.deepStrictEqual([patched.version, patched.createdAt], [2, 10_000_000])
        assert.isAtLeast(patched.updatedAt, 10_000_000)
        const moved = yield* board.reorder(first.id, { version: 2, targetStatus: "review", targetIndex: 0 })
        assert.isAtLeast(moved.updatedAt, patched.updatedAt)
        const second = yield* board.create({ title: "second", status: "review" })
        assert.strictEqual(second.columnOrder, 1)
        const later = yield* board.propose({ type: "create", payload: { title: "later" } })
        assert.deepStrictEqual(
          (yield* board.proposals(undefined)).map(({ id }) => id),
          [later.id, earlier.id]
        )
        const rejected = yield* board.reject(first.id, { note: "no" })
        assert.isAtLeast(rejected.updatedAt, moved.updatedAt)
      })
    )
  })

  describe("hostile answers", () => {
    it.effect.each([
      ["openings without an end", "[kanban:create]"],
      ["openings with a brace", "[kanban:create]{"],
      ["unclosed strings", '[kanban:create]{"[/kanban:create]'],
      ["empty markers", "[kanban:create][/kanban:create]"],
      ["good markers", '[kanban:create]{"title":"x"}[/kanban:create]'],
      ["speech openings", "[tts:"],
      ["nested brackets", "[[[[tts:[kanban:update]{[{["]
    ] as const)("of a megabyte of %s end a run and leave at most five proposals", ([, unit]) =>
      Effect.gen(function* () {
        const { board, runs, gateway, until, settle } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        yield* gateway.finish(unit.repeat(Math.ceil(MEGABYTE / unit.length)))
        const task = yield* until(id, (found) => found.status === "review")
        assert.isAtMost(task.result?.length ?? 0, 50_000)
        assert.isAtMost((yield* board.proposals(undefined)).length, 5)
      })
    )

    it("keep at most 50,000 characters as the result", () => {
      assert.lengthOf(readAnswer("x".repeat(60_000)).text, 50_000)
      assert.deepStrictEqual(readAnswer(`${"x".repeat(60_000)}[kanban:create]{"title":"T"}[/kanban:create]`).asks, [
        { type: "create", payload: { title: "T" } }
      ])
    })
  })
})
