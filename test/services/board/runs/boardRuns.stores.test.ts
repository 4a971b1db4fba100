import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, PubSub, Scope } from "effect"
import { TestClock } from "effect/testing"
import { boardWorldOn } from "../boardWorld.ts"
import { makeFakeGateway, unreachable } from "../fakeGateway.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("runs", ({ makeBoardWorld, base: empty }) => {
  const started = Effect.fnUntraced(function* (task: { readonly model?: string; readonly assignee?: string } = {}) {
    const world = yield* makeBoardWorld()
    const { id } = yield* world.board.create({ title: "Write the report", description: "Two pages.", ...task })
    yield* world.runs.execute(id, {})
    yield* world.settle
    return { ...world, id }
  })

  describe("a run that goes well", () => {
    it.effect("is patched and sent on a session key of its own", () =>
      Effect.gen(function* () {
        const { gateway, id, board } = yield* started({ model: "mock/fast" })
        const task = yield* board.get(id)
        assert.strictEqual(task.status, "in-progress")
        assert.strictEqual(task.run?.status, "running")
        assert.strictEqual(task.run?.sessionKey, `agent:main:task-${id}-1`)
        assert.deepStrictEqual(
          gateway.calls.map((call) => call.method),
          ["sessions.patch", "models.list", "config.get", "chat.send"]
        )
        assert.deepStrictEqual(gateway.calls[0]?.params, {
          key: `agent:main:task-${id}-1`,
          model: "mock/fast",
          label: `Write the report (${id.slice(0, 8)}-1)`
        })
        assert.deepStrictEqual(gateway.sent(), {
          sessionKey: `agent:main:task-${id}-1`,
          message: "Write the report\n\nTwo pages.",
          idempotencyKey: task.run?.runId
        })
      })
    )

    it.effect("ends at the chat event, without waiting for a poll", () =>
      Effect.gen(function* () {
        const { gateway, id, until } = yield* started()
        yield* gateway.finish("All done.")
        const task = yield* until(id, (found) => found.status === "review")
        assert.strictEqual(task.result, "All done.")
        assert.strictEqual(task.resultAt, 0)
        assert.strictEqual(task.run?.status, "done")
        assert.strictEqual(task.run?.sessionId, "session-1")
        assert.strictEqual(gateway.count("agent.wait"), 0)
      })
    )

    it.effect("ends at the next poll when the event was missed", () =>
      Effect.gen(function* () {
        const { gateway, id, until, pass, board } = yield* started()
        yield* gateway.finish("Quietly done.", { silent: true })
        yield* pass("4 seconds")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* pass("1 second")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Quietly done.")
      })
    )

    it.effect("goes straight to done where no review is wanted", () =>
      Effect.gen(function* () {
        const { gateway, id, until, board } = yield* started()
        yield* board.updateConfig({ reviewRequired: false })
        yield* gateway.finish("Done.")
        yield* until(id, (found) => found.status === "done")
      })
    )

    it.effect("keeps what the agent asked for as proposals and strips the markers", () =>
      Effect.gen(function* () {
        const { gateway, id, until, board } = yield* started()
        yield* gateway.finish(
          `Done.\n[kanban:create]{"title":"Follow up"}[/kanban:create]\n[kanban:update]{"id":"nobody"}[/kanban:update]\nBye.`
        )
        const task = yield* until(id, (found) => found.status === "review")
        assert.strictEqual(task.result, "Done.\nBye.")
        const proposals = yield* board.proposals(undefined)
        assert.strictEqual(proposals.length, 1)
        assert.deepStrictEqual(proposals[0]?.payload, { title: "Follow up" })
        assert.strictEqual(proposals[0]?.proposedBy, "agent:main")
        assert.strictEqual(proposals[0]?.sourceSessionKey, `agent:main:task-${id}-1`)
        assert.strictEqual(proposals[0]?.status, "pending")
      })
    )

    it.effect("of an assigned agent runs under that agent where the gateway has it", () =>
      Effect.gen(function* () {
        const known = yield* started({ assignee: "agent:writer" })
        assert.strictEqual((yield* known.board.get(known.id)).run?.sessionKey, `agent:writer:task-${known.id}-1`)
        const unknown = yield* started({ assignee: "agent:nobody" })
        assert.strictEqual((yield* unknown.board.get(unknown.id)).run?.sessionKey, `agent:main:task-${unknown.id}-1`)
      })
    )

    it.effect("is returned as it is when executed again", () =>
      Effect.gen(function* () {
        const { runs, id, gateway, board, settle } = yield* started()
        const before = yield* board.get(id)
        assert.deepStrictEqual(yield* runs.execute(id, { model: "other/model" }), before)
        yield* settle
        assert.strictEqual(gateway.count("chat.send"), 1)
      })
    )

    it.effect("again after a rejection has its own session and reads the feedback", () =>
      Effect.gen(function* () {
        const { gateway, id, until, board, runs, settle } = yield* started()
        yield* gateway.finish("First.")
        yield* until(id, (found) => found.status === "review")
        const rejected = yield* board.reject(id, { note: "Shorter, please." })
        assert.isUndefined(rejected.run)
        assert.isUndefined(rejected.result)
        yield* runs.execute(id, {})
        yield* settle
        assert.strictEqual(gateway.sent()?.sessionKey, `agent:main:task-${id}-2`)
        assert.include(String(gateway.sent()?.message), "- Shorter, please.")
      })
    )
  })

  describe("what a run leaves behind", () => {
    it.effect("is reported line by line, a marker that cannot be used too", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, settle, until } = yield* makeBoardWorld()
        const notes = yield* board.notes
        const { id } = yield* board.create({ title: "T" })
        yield* runs.execute(id, {})
        yield* settle
        yield* gateway.finish('Done. [kanban:create]{"titel": 1}[/kanban:create]')
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Done.")
        yield* settle
        assert.deepStrictEqual(
          (yield* PubSub.takeAll(notes)).map(({ type, message }) => [type, message]),
          [
            ["run", "Agent main started working on “T”."],
            ["run", "Agent main finished “T”, which is ready for review."],
            ["marker", "In the answer to “T”, a [kanban:create] marker was ignored: it needs a title (it has titel)."]
          ]
        )
      })
    )
  })

  describe("a run that does not go well", () => {
    it.effect("ends with a cause a person can act on, never the gateway's text", () =>
      Effect.gen(function* () {
        const { gateway, id, until } = yield* started()
        yield* gateway.fail("HTTP 401: invalid x-api-key sk-secret")
        const task = yield* until(id, (found) => found.status === "todo")
        assert.strictEqual(task.run?.status, "error")
        assert.include(task.run?.error ?? "", "check the provider's API key")
        assert.notInclude(task.run?.error ?? "", "sk-secret")
      })
    )

    it.effect("names the provider and the model where the gateway does", () =>
      Effect.gen(function* () {
        const { gateway, id, until } = yield* started()
        yield* gateway.fail("LLM request failed", {
          provider: "mock",
          model: "mock-fast",
          failoverReason: "rate_limit"
        })
        const task = yield* until(id, (found) => found.status === "todo")
        assert.strictEqual(
          task.run?.error,
          "the provider mock is rate limiting requests: wait a moment, then run the task again"
        )
      })
    )

    it.effect("times out after 30 minutes and stops the agent's session", () =>
      Effect.gen(function* () {
        const { gateway, id, until, pass, board, settle } = yield* started()
        yield* pass("29 minutes")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* pass("1 minute")
        const task = yield* until(id, (found) => found.status === "todo")
        assert.strictEqual(task.run?.status, "error")
        assert.strictEqual(task.run?.error, "timed out after 30 minutes")
        yield* settle
        assert.strictEqual(gateway.count("chat.abort"), 1)
        assert.deepStrictEqual(yield* board.runs("stopping"), [])
      })
    )

    it.effect("aborted on the gateway ends as aborted", () =>
      Effect.gen(function* () {
        const { gateway, id, until } = yield* started()
        yield* gateway.abort
        const task = yield* until(id, (found) => found.status === "todo")
        assert.strictEqual(task.run?.status, "aborted")
      })
    )

    it.effect("is reported when the gateway cannot be reached at the start", () =>
      Effect.gen(function* () {
        const { board, runs, gateway, until } = yield* makeBoardWorld()
        gateway.refuseWith(() => unreachable)
        const { id } = yield* board.create({ title: "T" })
        const task = yield* runs.execute(id, {})
        assert.strictEqual(task.status, "in-progress")
        const failed = yield* until(id, (found) => found.status === "todo")
        assert.strictEqual(failed.run?.error, unreachable.message)
      })
    )

    it.effect("survives a link that is away while it waits", () =>
      Effect.gen(function* () {
        const { gateway, id, until, pass, board } = yield* started()
        gateway.refuseWith(() => unreachable)
        yield* pass("1 minute")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* gateway.finish("Done meanwhile.", { silent: true })
        gateway.refuseWith(() => undefined)
        yield* pass("5 seconds")
        assert.strictEqual((yield* until(id, (found) => found.status === "review")).result, "Done meanwhile.")
      })
    )

    it.effect("is given up when the gateway restarted and no longer knows it", () =>
      Effect.gen(function* () {
        const { gateway, id, until, pass, board } = yield* started()
        gateway.setRow({ status: "running", hasActiveRun: false })
        yield* TestClock.adjust("10 seconds")
        gateway.setStartedAt(10_000)
        yield* pass("50 seconds")
        assert.strictEqual((yield* board.get(id)).status, "in-progress")
        yield* pass("30 seconds")
        const task = yield* until(id, (found) => found.status === "todo")
        assert.include(task.run?.error ?? "", "restarted")
      })
    )
  })

  describe("a run that somebody ends", () => {
    it.effect("by abort stops the agent's session and keeps the note", () =>
      Effect.gen(function* () {
        const { gateway, id, board, settle } = yield* started()
        const task = yield* board.abort(id, { note: "Wrong task." })
        assert.strictEqual(task.status, "todo")
        assert.strictEqual(task.run?.status, "aborted")
        assert.deepStrictEqual(task.feedback, [{ at: 0, by: "operator", note: "Wrong task." }])
        yield* settle
        assert.strictEqual(gateway.count("chat.abort"), 1)
        yield* gateway.finish("Too late.")
        yield* settle
        assert.deepStrictEqual(yield* board.get(id), task)
      })
    )

    it.effect.each(["patch", "reorder", "delete"] as const)("by %s stops the agent's session", (way) =>
      Effect.gen(function* () {
        const { gateway, id, board, settle } = yield* started()
        const { version } = yield* board.get(id)
        if (way === "patch") yield* board.patch(id, { version, status: "backlog" })
        if (way === "reorder") yield* board.reorder(id, { version, targetStatus: "cancelled", targetIndex: 0 })
        if (way === "delete") yield* board.remove(id)
        else assert.strictEqual((yield* board.get(id)).run?.status, "aborted")
        yield* settle
        assert.strictEqual(gateway.count("chat.abort"), 1)
      })
    )

    it.effect("while the gateway is away stops the session as soon as it is back, also after a restart", () =>
      Effect.gen(function* () {
        const gateway = yield* makeFakeGateway
        const base = yield* empty
        const first = yield* Scope.make()
        const id = yield* Effect.gen(function* () {
          const { board, runs, settle } = yield* boardWorldOn(gateway, base)
          const task = yield* board.create({ title: "T" })
          yield* runs.execute(task.id, {})
          yield* settle
          gateway.refuseWith(() => unreachable)
          yield* board.abort(task.id, {})
          yield* settle
          return task.id
        }).pipe(Scope.provide(first))
        yield* Scope.close(first, Exit.void)
        gateway.refuseWith(() => undefined)
        gateway.calls.length = 0
        const second = yield* boardWorldOn(gateway, base)
        yield* second.until(id, () => gateway.count("chat.abort") > 0)
        yield* second.settle
        assert.deepStrictEqual(
          gateway.calls.map((call) => call.method),
          ["chat.abort"]
        )
        assert.deepStrictEqual(yield* second.board.runs("stopping"), [])
        assert.strictEqual((yield* second.board.get(id)).run?.status, "aborted")
      })
    )

    it.effect("by POST complete takes the given result, and the agent's later words change nothing", () =>
      Effect.gen(function* () {
        const { gateway, id, board, settle } = yield* started()
        const task = yield* board.complete(id, { result: 'By hand. [kanban:create]{"title":"More"}[/kanban:create]' })
        assert.strictEqual(task.status, "review")
        assert.strictEqual(task.result, "By hand.")
        assert.strictEqual((yield* board.proposals("pending")).length, 1)
        yield* gateway.finish("Late.")
        yield* settle
        assert.deepStrictEqual(yield* board.get(id), task)
        assert.strictEqual(gateway.count("chat.abort"), 0)
      })
    )
  })
})
