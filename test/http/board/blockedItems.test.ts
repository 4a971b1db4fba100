import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeJsonApp } from "../../support/gatewayApp.ts"

interface Item {
  readonly id: string
  readonly gatewayId: string
  readonly kind: string
  readonly title: string
  readonly taskId: string
  readonly actions: ReadonlyArray<{ readonly id: string }>
}

describe("a card whose predecessor was deleted", () => {
  const blocked = Effect.gen(function* () {
    const app = yield* makeJsonApp()
    const card = (body: object) =>
      Effect.map(app.send("POST", "/api/kanban/tasks", { status: "todo", ...body }), (answer) => answer.body)
    const lost = yield* card({ title: "Lost" })
    const waiting = yield* card({ title: "Waiting", autoStart: true, after: [lost.id] })
    yield* app.send("DELETE", `/api/kanban/tasks/${lost.id}`)
    const open = Effect.map(
      app.send("GET", "/api/inbox?kind=blocked&state=open"),
      ({ body }): ReadonlyArray<Item> => body.items
    )
    let items = yield* open
    while (items.length === 0) {
      yield* Effect.yieldNow
      items = yield* open
    }
    const resolve = (action: string) => app.send("POST", `/api/inbox/${items[0]?.id}/resolve`, { action })
    return { ...app, items, open, resolve, waiting }
  })

  it.effect("is an item of the kind blocked, with three actions", () =>
    Effect.gen(function* () {
      const { items, waiting } = yield* blocked
      assert.strictEqual(items.length, 1)
      assert.deepInclude(
        { ...items[0] },
        { gatewayId: "primary", kind: "blocked", title: "Waiting", taskId: waiting.id }
      )
      assert.deepStrictEqual(
        items[0]?.actions.map(({ id }) => id),
        ["start-anyway", "unlink", "dismiss"]
      )
    })
  )

  it.effect("answers the start's own error and stays open while everything is stopped", () =>
    Effect.gen(function* () {
      const { items, open, resolve, send } = yield* blocked
      yield* send("POST", "/api/stop", {})
      const refused = yield* resolve("start-anyway")
      assert.deepStrictEqual([refused.status, refused.body.error, refused.body.stop.active], [409, "stopped", true])
      assert.deepStrictEqual(yield* open, items)
      yield* send("DELETE", "/api/stop")
      const unknown = yield* resolve("resume")
      assert.strictEqual(unknown.status, 400)
    })
  )

  it.effect("waits for nothing more after unlink", () =>
    Effect.gen(function* () {
      const { resolve, send } = yield* blocked
      const done = yield* resolve("unlink")
      assert.deepStrictEqual([done.status, done.body.resolution.action], [200, "unlink"])
      const { body } = yield* send("GET", "/api/kanban/tasks")
      assert.deepInclude(body.items[0], { title: "Waiting", after: [], autoStart: true })
      const again = yield* resolve("unlink")
      assert.deepStrictEqual([again.status, again.body.error], [409, "already_resolved"])
    })
  )
})

describe("automatic starts that were switched off by a person", () => {
  it.effect("are part of the configuration, merged by field", () =>
    Effect.gen(function* () {
      const { send } = yield* makeJsonApp()
      const put = (parallel: object) =>
        Effect.map(send("PUT", "/api/kanban/config", { parallel }), ({ body }) => body.parallel)
      assert.deepStrictEqual(yield* put({ paused: true }), { total: 3, perAgent: 1, paused: true })
      assert.deepStrictEqual(yield* put({ total: 50 }), { total: 50, perAgent: 1, paused: true })
      assert.deepStrictEqual(yield* put({ paused: false }), { total: 50, perAgent: 1, paused: false })
      assert.strictEqual((yield* send("PUT", "/api/kanban/config", { parallel: { perAgent: 21 } })).status, 400)
    })
  )
})
