import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { TASK_STATUSES } from "../../../src/contract/board.ts"
import type { Task, TaskStatus } from "../../../src/contract/schema/task.ts"
import { onEveryStore } from "./onEveryStore.ts"

onEveryStore("the board", ({ makeBoardWorld }) => {
  const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

  /** One random step: which task, which column, which place, and how. */
  const Step = Schema.Struct({
    how: Schema.Literals(["create", "reorder", "patch", "remove"]),
    which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 })),
    status: Schema.Literals(TASK_STATUSES),
    index: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
  })

  type Columns = Map<TaskStatus, ReadonlyArray<string>>

  const content = ({ columnOrder, ...rest }: Task) => rest

  describe("the order of a column", () => {
    it.effect.prop(
      "is dense, is the one asked for, and a step touches no other task",
      [Schema.Array(Step).check(Schema.isMaxLength(25))],
      ([steps]) =>
        Effect.gen(function* () {
          const { board } = yield* makeBoardWorld()
          const model: Columns = new Map()
          const known = new Map<string, Task>()
          const column = (status: TaskStatus) => model.get(status) ?? []
          const without = (id: string) => {
            for (const [status, ids] of model)
              model.set(
                status,
                ids.filter((other) => other !== id)
              )
          }
          for (const { how, which, status, index } of steps) {
            const ids = [...known.keys()]
            const before = known.get(ids[which % Math.max(1, ids.length)] ?? "")
            if (how === "create" || before === undefined) {
              const made = yield* board.create({ title: `Task ${known.size}`, status })
              known.set(made.id, made)
              model.set(status, [...column(status), made.id])
            } else if (how === "remove") {
              yield* board.remove(before.id)
              known.delete(before.id)
              without(before.id)
            } else if (how === "patch") {
              const after = yield* board.patch(before.id, { version: before.version, status })
              assert.strictEqual(after.version, before.version + 1)
              known.set(after.id, after)
              if (status !== before.status) {
                without(before.id)
                model.set(status, [...column(status), before.id])
              }
            } else {
              const target = { version: before.version, targetStatus: status, targetIndex: index }
              const after = yield* board.reorder(before.id, target)
              assert.strictEqual(after.version, before.version + 1)
              known.set(after.id, after)
              without(before.id)
              model.set(status, column(status).toSpliced(index, 0, before.id))
            }
            const page = yield* board.list(everything)
            assert.strictEqual(yield* board.listText(everything), JSON.stringify(page))
            const { items } = page
            assert.deepStrictEqual(
              items.map(({ id, status, columnOrder }) => [status, columnOrder, id]),
              TASK_STATUSES.flatMap((status) => column(status).map((id, place) => [status, place, id]))
            )
            for (const item of items) {
              const expected = known.get(item.id)
              assert.deepStrictEqual(content(item), expected === undefined ? undefined : content(expected))
            }
          }
        }),
      { arbitrary: { runs: 40 } }
    )

    it.effect("stays right when one place is taken over and over", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const made: Array<Task> = []
        for (let index = 0; index < 6; index += 1) made.push(yield* board.create({ title: `Task ${index}` }))
        let order = made.map((task) => task.id)
        const versions = new Map(made.map((task) => [task.id, task.version]))
        for (let turn = 0; turn < 300; turn += 1) {
          const id = order[turn % 2 === 0 ? 5 : 4] ?? ""
          const version = versions.get(id) ?? 0
          const task = yield* board.reorder(id, { version, targetStatus: "todo", targetIndex: 1 })
          versions.set(id, task.version)
          order = order.filter((other) => other !== id).toSpliced(1, 0, id)
          assert.strictEqual(task.columnOrder, 1)
        }
        const { items } = yield* board.list(everything)
        assert.deepStrictEqual(
          items.map((task) => task.id),
          order
        )
      })
    )
  })

  describe("compare-and-set", () => {
    it.effect("lets exactly one of 50 parallel patches win; the others get the latest task", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const { id } = yield* board.create({ title: "T" })
        const results = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => index),
          (index) => Effect.result(board.patch(id, { version: 1, title: `by ${index}` })),
          { concurrency: "unbounded" }
        )
        const winners = results.filter((result) => result._tag === "Success")
        assert.strictEqual(winners.length, 1)
        const stored = yield* board.get(id)
        assert.strictEqual(stored.version, 2)
        for (const result of results) {
          if (result._tag === "Success") continue
          assert.strictEqual(result.failure._tag, "VersionConflict")
          if (result.failure._tag === "VersionConflict") assert.deepStrictEqual(result.failure.latest, stored)
        }
      })
    )

    it.effect("leaves nothing behind when it loses", () =>
      Effect.gen(function* () {
        const { board, changes } = yield* makeBoardWorld()
        const task = yield* board.create({ title: "T" })
        yield* changes
        const lost = yield* Effect.exit(board.reorder(task.id, { version: 9, targetStatus: "done", targetIndex: 0 }))
        assert.isTrue(Exit.isFailure(lost))
        assert.deepStrictEqual(yield* board.get(task.id), task)
        yield* board.remove(task.id)
        assert.deepStrictEqual(
          (yield* changes).map((change) => change.action),
          ["deleted"]
        )
      })
    )
  })

  describe("lists", () => {
    it.effect("and single tasks give back every field as it was written", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const { id } = yield* board.create({
          title: "Title",
          description: "Description",
          status: "review",
          priority: "critical",
          createdBy: "agent:creator",
          sourceSessionKey: "agent:main:main",
          assignee: "agent:assignee",
          labels: ["one", "two"],
          model: "some/model",
          thinking: "high",
          dueAt: 1_900_000_000_000,
          estimateMin: 1.5
        })
        yield* board.patch(id, { version: 1, actualMin: 2.5, result: "Result" })
        const approved = yield* board.approve(id, { note: "Note" })
        assert.deepStrictEqual(yield* board.get(id), approved)
        assert.deepStrictEqual((yield* board.list(everything)).items, [approved])
      })
    )

    it.effect("filter in the database and page in board order", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const make = (title: string, more: object = {}) => board.create({ title, ...more })
        yield* make("done one", { status: "done", priority: "high" })
        yield* make("ÄPFEL kaufen", { labels: ["Obst", 'with "quotes"'], assignee: "agent:a" })
        yield* make("second", { description: "Needle in the Hay", priority: "low", labels: ["obst"] })
        yield* make("third", { status: "backlog", assignee: "operator", labels: ["a,b", "x"] })
        const titles = Effect.fnUntraced(function* (query: object) {
          const page = yield* board.list({ ...everything, ...query })
          return page.items.map((task) => task.title)
        })
        assert.deepStrictEqual(yield* titles({}), ["third", "ÄPFEL kaufen", "second", "done one"])
        assert.deepStrictEqual(yield* titles({ statuses: ["done", "backlog", "done"] }), ["third", "done one"])
        assert.deepStrictEqual(yield* titles({ priorities: ["high", "low"] }), ["second", "done one"])
        assert.deepStrictEqual(yield* titles({ assignee: "agent:a" }), ["ÄPFEL kaufen"])
        assert.deepStrictEqual(yield* titles({ label: "Obst" }), ["ÄPFEL kaufen"])
        assert.deepStrictEqual(yield* titles({ q: "äpfel" }), ["ÄPFEL kaufen"])
        assert.deepStrictEqual(yield* titles({ q: "NEEDLE" }), ["second"])
        assert.deepStrictEqual(yield* titles({ q: "obst" }), ["ÄPFEL kaufen", "second"])
        assert.deepStrictEqual(yield* titles({ q: 'WITH "Q' }), ["ÄPFEL kaufen"])
        assert.deepStrictEqual(yield* titles({ q: '","' }), [])
        assert.deepStrictEqual(yield* titles({ q: "a,b" }), ["third"])
        assert.deepStrictEqual(yield* titles({ q: "%" }), [])
        const page = yield* board.list({ ...everything, limit: 2, offset: 1, priorities: ["normal", "low"] })
        assert.deepStrictEqual(
          page.items.map((task) => [task.title, task.columnOrder]),
          [
            ["ÄPFEL kaufen", 0],
            ["second", 1]
          ]
        )
        assert.deepStrictEqual([page.total, page.hasMore], [3, false])
        const sparse = yield* board.list({ ...everything, label: "obst" })
        assert.deepStrictEqual(
          sparse.items.map((task) => task.columnOrder),
          [1]
        )
      })
    )
  })

  describe("proposals", () => {
    it.effect("wait for a decision and are resolved once", () =>
      Effect.gen(function* () {
        const { board, changes } = yield* makeBoardWorld()
        const proposal = yield* board.propose({ type: "create", payload: { title: "New" }, proposedBy: "agent:writer" })
        assert.strictEqual(proposal.status, "pending")
        const { task, proposal: approved } = yield* board.approveProposal(proposal.id)
        assert.strictEqual(task.title, "New")
        assert.strictEqual(task.createdBy, "agent:writer")
        assert.strictEqual(approved.status, "approved")
        const again = yield* Effect.flip(board.rejectProposal(proposal.id, {}))
        assert.strictEqual(again._tag, "AlreadyResolved")
        assert.deepStrictEqual(
          (yield* changes).map((change) => [change.kind, change.action]),
          [
            ["proposal", "created"],
            ["proposal", "resolved"],
            ["task", "created"]
          ]
        )
      })
    )

    it.effect("are applied at once under the policy auto, in one step with the version as it is then", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        yield* board.updateConfig({ proposalPolicy: "auto" })
        const task = yield* board.create({ title: "Old" })
        yield* board.patch(task.id, { version: 1, priority: "high" })
        const proposal = yield* board.propose({
          type: "update",
          payload: { id: task.id, title: "New", status: "done" }
        })
        assert.strictEqual(proposal.status, "approved")
        assert.strictEqual(proposal.resolvedAt, proposal.proposedAt)
        const changed = yield* board.get(task.id)
        assert.deepStrictEqual(
          [changed.title, changed.priority, changed.status, changed.version],
          ["New", "high", "done", 3]
        )
      })
    )

    it.effect("of a task that vanished stay pending and can only be rejected", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const task = yield* board.create({ title: "T" })
        const proposal = yield* board.propose({ type: "update", payload: { id: task.id, title: "New" } })
        yield* board.remove(task.id)
        assert.strictEqual((yield* Effect.flip(board.approveProposal(proposal.id)))._tag, "TaskNotFound")
        assert.deepStrictEqual(yield* board.proposals("pending"), [proposal])
        const rejected = yield* board.rejectProposal(proposal.id, { reason: "gone" })
        assert.deepStrictEqual([rejected.status, rejected.reason, rejected.version], ["rejected", "gone", 2])
        const missing = yield* Effect.flip(board.propose({ type: "update", payload: { id: task.id } }))
        assert.strictEqual(missing._tag, "TaskNotFound")
      })
    )

    it.effect("are listed with the most recent first", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        const first = yield* board.propose({ type: "create", payload: { title: "1" } })
        const second = yield* board.propose({ type: "create", payload: { title: "2" } })
        yield* board.rejectProposal(first.id, {})
        assert.deepStrictEqual(
          (yield* board.proposals(undefined)).map((proposal) => proposal.id),
          [second.id, first.id]
        )
        assert.deepStrictEqual(
          (yield* board.proposals("rejected")).map((proposal) => proposal.id),
          [first.id]
        )
      })
    )
  })

  describe("events", () => {
    it.effect("report every change with its kind, action, version and content", () =>
      Effect.gen(function* () {
        const { board, runs, changes, gateway, until } = yield* makeBoardWorld()
        const task = yield* board.create({ title: "T" })
        yield* board.patch(task.id, { version: 1, title: "U" })
        yield* board.reorder(task.id, { version: 2, targetStatus: "backlog", targetIndex: 0 })
        yield* runs.execute(task.id, {})
        yield* until(task.id, () => gateway.count("chat.send") === 1)
        yield* gateway.finish("Done.")
        yield* until(task.id, (found) => found.status === "review")
        yield* board.approve(task.id, {})
        const config = yield* board.updateConfig({ quickViewLimit: 7 })
        yield* board.remove(task.id)
        const seen = yield* changes
        assert.deepStrictEqual(
          seen.map(({ kind, action, id, version }) => [kind, action, id === task.id, version]),
          [
            ["task", "created", true, 1],
            ["task", "updated", true, 2],
            ["task", "moved", true, 3],
            ["task", "moved", true, 4],
            ["task", "moved", true, 5],
            ["task", "moved", true, 6],
            ["config", "updated", false, undefined],
            ["task", "deleted", true, 6]
          ]
        )
        assert.strictEqual(seen[4]?.task?.result, "Done.")
        assert.deepStrictEqual(seen[6]?.config, config)
      })
    )
  })
})
