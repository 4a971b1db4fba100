import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { EverythingStopped } from "../../../../src/services/holds/StartHolds.ts"
import { makeFakeGateway, unreachable } from "../fakeGateway.ts"
import { onEveryStore } from "../onEveryStore.ts"
import { flowWorldOn } from "./flowWorld.ts"

const MINUTE_MS = 60_000

onEveryStore("automatic starts", ({ base }) => {
  const world = Effect.flatMap(base, (context) => flowWorldOn(context))
  const roomy = Effect.tap(world, ({ board }) =>
    board.updateConfig({ reviewRequired: false, parallel: { total: 50, perAgent: 20 } })
  )

  describe("what starts", () => {
    it.effect("is a card in todo that nothing holds, once", () =>
      Effect.gen(function* () {
        const { add, card, gateway } = yield* world
        yield* add("One")
        const one = yield* card("One")
        assert.deepStrictEqual([one.status, one.attempts, one.autoStart], ["in-progress", 1, true])
        assert.strictEqual(gateway.count("chat.send"), 1)
        assert.isUndefined(one.history)
      })
    )

    it.effect("is no card without autoStart, and none in another column", () =>
      Effect.gen(function* () {
        const { add, board, card, change, running } = yield* world
        yield* board.create({ title: "By hand", status: "todo" })
        yield* add("Later", { status: "backlog" })
        assert.deepStrictEqual(yield* running, [])
        assert.isUndefined((yield* card("By hand")).attempts)
        yield* change("Later", { status: "todo" })
        assert.deepStrictEqual(yield* running, ["Later"])
      })
    )

    it.effect("comes after every card that it names is done, not before", () =>
      Effect.gen(function* () {
        const { add, board, change, finish, running } = yield* roomy
        const a = yield* add("A")
        const b = yield* add("B")
        yield* add("C", { after: [a.id, b.id] })
        assert.deepStrictEqual(yield* running, ["A", "B"])
        yield* finish("A")
        assert.deepStrictEqual(yield* running, ["B"])
        yield* board.updateConfig({ reviewRequired: true })
        yield* finish("B")
        assert.deepStrictEqual(yield* running, [])
        yield* change("B", { status: "done" })
        assert.deepStrictEqual(yield* running, ["C"])
      })
    )

    it.effect("comes at its time", () =>
      Effect.gen(function* () {
        const { add, pass, running } = yield* roomy
        yield* add("At three", { startAt: 3 * MINUTE_MS })
        yield* add("At one", { startAt: MINUTE_MS })
        yield* pass("59 seconds")
        assert.deepStrictEqual(yield* running, [])
        yield* pass("1 second")
        assert.deepStrictEqual(yield* running, ["At one"])
        yield* pass("2 minutes")
        assert.deepStrictEqual(yield* running, ["At one", "At three"])
      })
    )

    it.effect("goes by priority, then by place in the column", () =>
      Effect.gen(function* () {
        const { add, board, finish, running } = yield* world
        yield* board.updateConfig({ reviewRequired: false, parallel: { total: 1, paused: true } })
        yield* add("Low", { priority: "low" })
        yield* add("Second")
        yield* add("Third")
        const { id, version } = yield* add("First")
        yield* board.reorder(id, { version, targetStatus: "todo", targetIndex: 0 })
        yield* add("Critical", { priority: "critical" })
        yield* board.updateConfig({ parallel: { paused: false } })
        const order: Array<string> = []
        for (;;) {
          const [title] = yield* running
          if (title === undefined) break
          order.push(title)
          yield* finish(title)
        }
        assert.deepStrictEqual(order, ["Critical", "First", "Second", "Third", "Low"])
      })
    )
  })

  describe("how many run", () => {
    it.effect("at most three, and one of an agent", () =>
      Effect.gen(function* () {
        const { add, board, finish, running } = yield* world
        yield* board.updateConfig({ reviewRequired: false })
        for (const number of [1, 2, 3]) yield* add(`Main ${number}`)
        for (const number of [1, 2]) yield* add(`Writer ${number}`, { assignee: "agent:writer" })
        assert.deepStrictEqual(yield* running, ["Main 1", "Writer 1"])
        yield* finish("Writer 1")
        assert.deepStrictEqual(yield* running, ["Main 1", "Writer 2"])
        yield* board.updateConfig({ parallel: { perAgent: 20 } })
        assert.deepStrictEqual(yield* running, ["Main 1", "Writer 2", "Main 2"])
        assert.deepStrictEqual((yield* board.config).parallel, { total: 3, perAgent: 20, paused: false })
      })
    )

    it.effect("no more than the column may hold, whoever put cards there", () =>
      Effect.gen(function* () {
        const { add, board, change, running } = yield* roomy
        const { columns } = yield* board.config
        yield* board.updateConfig({
          columns: columns.map((column) => (column.key === "in-progress" ? { ...column, wipLimit: 2 } : column))
        })
        yield* board.create({ title: "Mine", status: "in-progress" })
        yield* add("A")
        yield* add("B")
        assert.deepStrictEqual(yield* running, ["Mine", "A"])
        yield* change("Mine", { status: "done" })
        assert.deepStrictEqual(yield* running, ["A", "B"])
      })
    )

    it.effect("none while automatic starts are switched off", () =>
      Effect.gen(function* () {
        const { add, board, items, running } = yield* world
        yield* board.updateConfig({ parallel: { paused: true } })
        yield* add("A")
        assert.deepStrictEqual(yield* running, [])
        // A person did that, so there's nothing to tell.
        assert.deepStrictEqual(yield* items(), [])
        yield* board.updateConfig({ parallel: { paused: false } })
        assert.deepStrictEqual(yield* running, ["A"])
      })
    )
  })

  describe("what holds outside the board", () => {
    it.effect("holds until it ends: a stop, and a coding agent's limit", () =>
      Effect.gen(function* () {
        const { add, bus, outside, pass, running } = yield* world
        outside.held = new EverythingStopped({ stop: { active: true } })
        yield* add("A")
        assert.deepStrictEqual(yield* running, [])
        outside.held = undefined
        yield* bus.publish({ event: "stop.changed", data: { active: false } })
        assert.deepStrictEqual(yield* running, ["A"])
        outside.usedUp = 10
        yield* add("B", { assignee: "agent:writer" })
        assert.deepStrictEqual(yield* running, ["A"])
        outside.usedUp = undefined
        yield* pass("30 seconds")
        assert.deepStrictEqual(yield* running, ["A", "B"])
      })
    )

    it.effect("every answer names the used up limit of a card's own model", () =>
      Effect.gen(function* () {
        const { add, board, outside, running } = yield* world
        outside.usedUp = 10
        outside.usedUpModel = "codex/used-up"
        const { id, waitsFor } = yield* add("A", { model: "codex/used-up" })
        yield* add("B", { assignee: "agent:writer", model: "codex/other" })
        assert.deepStrictEqual(yield* running, ["B"])
        const query = { statuses: ["todo"], priorities: [], limit: 200, offset: 0 } as const
        const details = "its agent's usage window is used up"
        const ofCard = [{ kind: "limit", until: 10, details, why: { code: "USAGE_USED_UP" } }] as const
        assert.deepStrictEqual(waitsFor, ofCard)
        assert.deepStrictEqual((yield* board.get(id)).waitsFor, ofCard)
        assert.deepStrictEqual(JSON.parse(yield* board.listText(query)).items[0].waitsFor, ofCard)
        assert.strictEqual((yield* board.list({ ...query, blocked: true })).total, 1)
        assert.strictEqual((yield* board.list({ ...query, ready: true })).total, 0)
      })
    )

    it.effect("a gateway that refuses the start makes it a failed run", () =>
      Effect.gen(function* () {
        const { add, card, gateway, items } = yield* world
        gateway.refuseWith(({ method }) => (method === "sessions.patch" ? unreachable : undefined))
        yield* add("A")
        const a = yield* card("A")
        assert.deepStrictEqual([a.status, a.autoStart, a.attempts, a.run?.status], ["todo", false, 1, "error"])
        assert.deepStrictEqual(
          (yield* items()).map(({ kind, taskId }) => [kind, taskId]),
          [["failed", a.id]]
        )
      })
    )
  })

  describe("after a restart", () => {
    it.effect("what became ready meanwhile starts once, and what had started goes on", () =>
      Effect.gen(function* () {
        const context = yield* base
        const gateway = yield* makeFakeGateway
        const before = yield* Scope.make()
        const first = yield* Scope.provide(flowWorldOn(context, gateway), before)
        yield* first.board.updateConfig({ reviewRequired: false })
        const a = yield* first.add("A")
        yield* first.add("B", { after: [a.id] })
        yield* first.settle
        yield* Scope.close(before, Exit.void)
        // It ends while nobody looks for cards to start.
        yield* first.board.complete(a.id, { result: "Done." })
        assert.strictEqual(gateway.count("chat.send"), 1)
        const second = yield* flowWorldOn(context, gateway)
        assert.deepStrictEqual(yield* second.running, ["B"])
        assert.strictEqual(gateway.count("chat.send"), 2)
        assert.strictEqual((yield* second.card("B")).attempts, 1)
      })
    )
  })
})
