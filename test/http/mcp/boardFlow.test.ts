import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mcpClient, newToken } from "../../support/mcpClient.ts"
import { rest, served, withAgent } from "../../support/servedAgent.ts"

describe("cards that wait for each other, as tools", () => {
  it.live("an agent links cards, and lists what could start", () =>
    Effect.gen(function* () {
      const { call } = yield* withAgent()
      const first = (yield* call("create_task", { title: "First" })).value.task
      const made = yield* call("create_task", { title: "Second", after: [first.id], parentId: first.id, startAt: 5 })
      assert.isTrue(made.ok, JSON.stringify(made.value))
      const second = made.value.task
      assert.deepInclude(second, { after: [first.id], parentId: first.id, startAt: 5 })
      const titles = (filter: Record<string, unknown>) =>
        Effect.map(call("list_tasks", filter), ({ value }) => value.tasks.map(({ title }: { title: string }) => title))
      assert.deepStrictEqual(yield* titles({ ready: true }), ["First"])
      assert.deepStrictEqual(yield* titles({ blocked: true }), ["Second"])
      assert.deepStrictEqual(yield* titles({ parentId: first.id }), ["Second"])
      assert.deepStrictEqual(yield* titles({ after: first.id }), ["Second"])
      const early = yield* call("claim_task", { id: second.id, version: 1 })
      assert.deepInclude(early.value, { error: "not_possible" })
      assert.include(early.value.help, "“First” isn't done")
      const closed = yield* call("update_task", { id: first.id, version: 1, after: [second.id] })
      assert.deepInclude(closed.value, { error: "invalid" })
      const freed = yield* call("update_task", { id: second.id, version: 1, after: null, startAt: null })
      assert.notProperty(freed.value.task, "waitsFor")
    })
  )

  it.live("without the right to run, a card that starts by itself becomes a proposal as a whole", () =>
    Effect.gen(function* () {
      const { call, url } = yield* withAgent(["read", "write"])
      const made = yield* call("create_task", { title: "By itself", autoStart: true })
      assert.strictEqual(made.value.proposal.status, "pending")
      const { task } = (yield* call("create_task", { title: "Plain", autoStart: false })).value
      const changed = yield* call("update_task", { id: task.id, version: 1, title: "Other", autoStart: true })
      assert.strictEqual(changed.value.proposal.status, "pending")
      const { body } = yield* rest(url, "GET", "/api/kanban/tasks")
      assert.deepStrictEqual(
        body.items.map(({ title, version }: { title: string; version: number }) => [title, version]),
        [["Plain", 1]]
      )
      const able = yield* Effect.flatMap(newToken(url, "runner", ["write", "run"]), ({ token }) =>
        mcpClient(url, token)
      )
      const own = yield* able.call("create_task", { title: "By itself", autoStart: true, status: "backlog" })
      assert.deepInclude(own.value.task, { autoStart: true })
    })
  )

  it.live("without the right to run, a change that would let a person's card start becomes a proposal", () =>
    Effect.gen(function* () {
      const { call, url } = yield* withAgent(["read", "write"])
      const add = (fields: object) =>
        Effect.map(rest(url, "POST", "/api/kanban/tasks", { autoStart: true, ...fields }), ({ body }) => body)
      const later = Date.now() + 3_600_000
      const before = yield* add({ title: "Before", autoStart: false })
      const planned = yield* add({ title: "Planned", status: "backlog" })
      const waiting = yield* add({ title: "Waiting", status: "todo", after: [before.id], startAt: later })
      const becomes = Effect.fnUntraced(function* (tool: string, fields: object) {
        const { value } = yield* call(tool, { version: 1, ...fields })
        return value.task === undefined ? value.proposal?.status : "changed"
      })
      assert.strictEqual(yield* becomes("move_task", { id: planned.id, status: "todo" }), "pending")
      assert.strictEqual(yield* becomes("update_task", { id: waiting.id, after: [] }), "pending")
      assert.strictEqual(yield* becomes("update_task", { id: waiting.id, startAt: null }), "pending")
      const stale = yield* call("move_task", { id: planned.id, version: 2, status: "todo" })
      assert.deepInclude(stale.value, { error: "version_conflict" })
      const { body } = yield* rest(url, "GET", "/api/kanban/tasks")
      assert.isTrue(body.items.every(({ version }: { version: number }) => version === 1))
      assert.strictEqual(yield* becomes("update_task", { id: waiting.id, title: "Still waiting" }), "changed")
      assert.strictEqual(yield* becomes("move_task", { id: planned.id, status: "cancelled" }), "changed")
      const able = yield* Effect.flatMap(newToken(url, "runner", ["write", "run"]), ({ token }) =>
        mcpClient(url, token)
      )
      const moved = yield* able.call("move_task", { id: planned.id, version: 2, status: "todo" })
      assert.isTrue(moved.ok, JSON.stringify(moved.value))
    })
  )

  it.live("`self` is the card of the run that a token is made for, and nothing else", () =>
    Effect.gen(function* () {
      const url = yield* served
      const { body: card } = yield* rest(url, "POST", "/api/kanban/tasks", { title: "Card" })
      const token = (fields: object) =>
        rest(url, "POST", "/api/mcp/tokens", { name: "of the run", rights: ["read", "write"], ...fields })
      assert.strictEqual((yield* token({ taskId: "nobody" })).status, 404)
      const made = yield* token({ taskId: card.id })
      assert.strictEqual(made.status, 201)
      const { call } = yield* mcpClient(url, made.body.token)
      const child = yield* call("create_task", { title: "Child", parentId: "self" })
      assert.strictEqual(child.value.task.parentId, card.id)
      assert.lengthOf((yield* call("list_tasks", { parentId: "self" })).value.tasks, 1)
      const other = yield* Effect.flatMap(newToken(url, "other", ["read", "write", "propose"]), ({ token }) =>
        mcpClient(url, token)
      )
      const refused = yield* other.call("create_task", { title: "Child", parentId: "self" })
      assert.deepInclude(refused.value, { error: "not_possible" })
      const proposed = yield* other.call("propose", { create: { title: "Child", parentId: "self" } })
      assert.isFalse(proposed.ok)
    })
  )
})
