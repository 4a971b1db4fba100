import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { BoardConfig } from "../../../src/contract/schema/boardConfig.ts"
import { Task, TaskPage } from "../../../src/contract/schema/task.ts"
import { makeBoardClient } from "./boardClient.ts"

const decodeTask = Schema.decodeUnknownSync(Task, { onExcessProperty: "error" })
const decodePage = Schema.decodeUnknownSync(TaskPage)
const decodeConfig = Schema.decodeUnknownSync(BoardConfig)

const FUTURE = 4_000_000_000_000

const world = Effect.map(makeBoardClient(), ({ app, call }) => ({
  app,
  call,
  made: (fields: object) => Effect.map(call("POST", "tasks", fields), ({ json }) => decodeTask(json)),
  read: (id: string) =>
    Effect.map(call("GET", `tasks?ids=${id}`), ({ json }) => {
      const [task] = decodePage(json).items
      assert.isDefined(task)
      return task
    }),
  found: (query: string) =>
    Effect.map(call("GET", `tasks?${query}`), ({ json }) => decodePage(json).items.map(({ title }) => title))
}))

describe("what a card waits for", () => {
  it.effect("is kept, told, cleared by null, and doubled ids are kept once", () =>
    Effect.gen(function* () {
      const { call, made, read } = yield* world
      const first = yield* made({ title: "First" })
      const parent = yield* made({ title: "Parent" })
      const flow = { parentId: parent.id, startAt: FUTURE, autoStart: true, retry: { max: 2, waitMin: 5 } }
      const card = yield* made({ title: "Card", after: [first.id, first.id], ...flow })
      assert.deepInclude(card, { after: [first.id], ...flow })
      assert.deepStrictEqual(
        card.waitsFor?.map(({ kind, id, until }) => [kind, id, until]),
        [
          ["card", first.id, undefined],
          ["time", undefined, FUTURE],
          ["gateway", undefined, undefined]
        ]
      )
      assert.deepStrictEqual(yield* read(card.id), card)
      assert.deepStrictEqual((yield* read(parent.id)).children, { total: 1, done: 0 })
      yield* call("PATCH", `tasks/${card.id}`, { version: 1, status: "done" })
      assert.deepStrictEqual((yield* read(parent.id)).children, { total: 1, done: 1 })
      const none = { after: null, parentId: null, startAt: null, autoStart: null, retry: null }
      const { json } = yield* call("PATCH", `tasks/${card.id}`, { version: 2, ...none, status: "todo" })
      const { startAt, parentId, retry, waitsFor, ...plain } = card
      assert.deepStrictEqual(json, { ...plain, after: [], autoStart: false, version: 3 })
      assert.notProperty(yield* read(parent.id), "children")
    })
  )

  it.effect.each([
    { after: ["nobody"] },
    { parentId: "nobody" },
    { after: "x" },
    { after: Array.from({ length: 21 }, (_, index) => `${index}`) },
    { startAt: -1 },
    { autoStart: "yes" },
    { retry: { max: 6, waitMin: 1 } },
    { retry: { max: 1, waitMin: 0 } },
    { retry: { max: 1 } },
    { retry: { max: 1, waitMin: 1441 } }
  ])("%j is refused", (fields) =>
    Effect.gen(function* () {
      const { call } = yield* world
      const { json, status } = yield* call("POST", "tasks", { title: "Card", ...fields })
      assert.strictEqual(status, 400)
      assert.deepInclude(json, { error: "validation_error" })
      const card = yield* call("POST", "tasks", { title: "Card" })
      assert.strictEqual((yield* call("PATCH", `tasks/${card.id}`, { version: 1, ...fields })).status, 400)
    })
  )

  it.effect.each(["attempts", "children", "waitsFor"])("%s can't be set", (field) =>
    Effect.gen(function* () {
      const { call } = yield* world
      const card = yield* call("POST", "tasks", { title: "Card" })
      assert.strictEqual((yield* call("PATCH", `tasks/${card.id}`, { version: 1, [field]: 1 })).status, 400)
    })
  )

  it.effect("circles are refused with their path", () =>
    Effect.gen(function* () {
      const { call, made } = yield* world
      const a = yield* made({ title: "A" })
      const b = yield* made({ title: "B", after: [a.id] })
      const c = yield* made({ title: "C", after: [b.id], parentId: a.id })
      const closed = yield* call("PATCH", `tasks/${a.id}`, { version: 1, after: [c.id] })
      assert.strictEqual(closed.status, 409)
      assert.deepStrictEqual(closed.json, { error: "cycle", path: [a.id, c.id, b.id, a.id] })
      const self = yield* call("PATCH", `tasks/${a.id}`, { version: 1, after: [a.id] })
      assert.deepStrictEqual(self.json, { error: "cycle", path: [a.id, a.id] })
      const below = yield* call("PATCH", `tasks/${a.id}`, { version: 1, parentId: c.id })
      assert.deepStrictEqual(below.json, { error: "cycle", path: [a.id, c.id, a.id] })
      const own = yield* call("PATCH", `tasks/${a.id}`, { version: 1, parentId: a.id })
      assert.deepStrictEqual(own.json, { error: "cycle", path: [a.id, a.id] })
    })
  )

  it.effect("a card has at most three cards above it, whichever end the link is made at", () =>
    Effect.gen(function* () {
      const { call, made } = yield* world
      const one = yield* made({ title: "1" })
      const two = yield* made({ title: "2", parentId: one.id })
      const three = yield* made({ title: "3", parentId: two.id })
      const four = yield* made({ title: "4", parentId: three.id })
      assert.strictEqual((yield* call("POST", "tasks", { title: "5", parentId: four.id })).status, 400)
      const above = yield* made({ title: "0" })
      const moved = yield* call("PATCH", `tasks/${one.id}`, { version: 1, parentId: above.id })
      assert.strictEqual(moved.status, 400)
      assert.deepInclude(moved.json, { error: "validation_error" })
      // A parent may wait for its children.
      assert.strictEqual((yield* call("PATCH", `tasks/${one.id}`, { version: 1, after: [four.id] })).status, 200)
    })
  )

  it.effect("a deleted card is missed by those that wait for it, and leaves its children", () =>
    Effect.gen(function* () {
      const { call, made, read } = yield* world
      const gone = yield* made({ title: "Gone" })
      const waiting = yield* made({ title: "Waiting", after: [gone.id] })
      const child = yield* made({ title: "Child", parentId: gone.id })
      yield* call("DELETE", `tasks/${gone.id}`)
      const now = yield* read(waiting.id)
      assert.deepStrictEqual(now.after, [gone.id])
      assert.deepStrictEqual(
        now.waitsFor?.map(({ id, kind }) => [kind, id]),
        [["person", gone.id]]
      )
      assert.notProperty(yield* read(child.id), "parentId")
      assert.strictEqual((yield* read(child.id)).version, 2)
    })
  )
})

describe("lists", () => {
  it.effect("are filtered by what could start, by parent and by predecessor", () =>
    Effect.gen(function* () {
      const { call, found, made } = yield* world
      const first = yield* made({ title: "First" })
      yield* made({ title: "Second", after: [first.id], status: "backlog" })
      yield* made({ title: "Third", startAt: FUTURE, parentId: first.id })
      yield* made({ title: "Done", status: "done", after: [first.id], parentId: first.id })
      assert.deepStrictEqual(yield* found("ready=true"), ["First"])
      assert.deepStrictEqual(yield* found("blocked=true"), ["Second", "Third"])
      assert.deepStrictEqual(yield* found("blocked=true&q=thi"), ["Third"])
      assert.deepStrictEqual(yield* found("blocked=true&ready=true"), [])
      assert.deepStrictEqual(yield* found("blocked=true&status=backlog"), ["Second"])
      assert.deepStrictEqual(yield* found(`parentId=${first.id}`), ["Third", "Done"])
      assert.deepStrictEqual(yield* found(`after=${first.id}`), ["Second"])
      assert.deepStrictEqual(yield* found("after=nobody"), [])
      for (const query of ["ready=1", "ready=false", "ready=", "blocked=yes"])
        assert.strictEqual((yield* call("GET", `tasks?${query}`)).status, 400)
    })
  )
})

describe("starting", () => {
  it.effect("names the errors in their order, and only what a card waits for can be forced", () =>
    Effect.gen(function* () {
      const { app, call, made } = yield* world
      const first = yield* made({ title: "First" })
      const card = yield* made({ title: "Card", after: [first.id], startAt: FUTURE })
      const start = (id: string, body?: object) => call("POST", `tasks/${id}/execute`, body)
      assert.strictEqual((yield* start(card.id, { force: "yes" })).status, 400)
      assert.strictEqual((yield* start("nobody", { force: true })).status, 404)
      const done = yield* made({ title: "Done", status: "done", after: [first.id] })
      assert.deepInclude((yield* start(done.id)).json, { error: "invalid_transition" })
      const elsewhere = yield* made({ title: "Elsewhere", gatewayId: "gone", after: [first.id] })
      assert.deepInclude((yield* start(elsewhere.id, { force: true })).json, { error: "unknown_gateway" })
      assert.deepStrictEqual(
        elsewhere.waitsFor?.map(({ kind }) => kind),
        ["card", "gateway"]
      )
      const stop = (method: string) =>
        Effect.flatMap(app.request("/api/stop", { method, body: "{}" }), (response) =>
          Effect.promise(() => response.text())
        )
      yield* stop("POST")
      assert.deepInclude((yield* start(card.id, { force: true })).json, { error: "stopped" })
      yield* stop("DELETE")
      const blocked = yield* start(card.id)
      assert.strictEqual(blocked.status, 409)
      assert.deepStrictEqual(blocked.json, { error: "blocked", waitsFor: card.waitsFor })
      const running = yield* start(card.id, { force: true })
      assert.strictEqual(running.status, 200)
      assert.notProperty(running.json, "waitsFor")
    })
  )

  it.effect("a card whose predecessors are done and whose time has come starts", () =>
    Effect.gen(function* () {
      const { call, made } = yield* world
      const first = yield* made({ title: "First", status: "done" })
      const card = yield* made({ title: "Card", after: [first.id], startAt: 0 })
      assert.notProperty(card, "waitsFor")
      assert.strictEqual((yield* call("POST", `tasks/${card.id}/execute`)).status, 200)
    })
  )
})

describe("the board's configuration", () => {
  it.effect("has room for runs, merged field by field, and whether results are handed over", () =>
    Effect.gen(function* () {
      const { call } = yield* world
      const config = (json: unknown) => {
        const { handOver, parallel } = decodeConfig(json)
        return { handOver, parallel }
      }
      const { json } = yield* call("GET", "config")
      assert.deepStrictEqual(config(json), { handOver: true, parallel: { total: 3, perAgent: 1, paused: false } })
      const put = yield* call("PUT", "config", { parallel: { perAgent: 2 } })
      assert.deepStrictEqual(config(put.json).parallel, { total: 3, perAgent: 2, paused: false })
      const more = yield* call("PUT", "config", { parallel: { paused: true, total: 50 }, handOver: false })
      assert.deepStrictEqual(config(more.json), {
        handOver: false,
        parallel: { total: 50, perAgent: 2, paused: true }
      })
      for (const parallel of [{ total: 0 }, { total: 51 }, { perAgent: 0 }, { perAgent: 21 }, { paused: 1 }])
        assert.strictEqual((yield* call("PUT", "config", { parallel })).status, 400)
    })
  )
})
