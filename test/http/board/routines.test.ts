import { assert, describe, it } from "@effect/vitest"
import { Effect, PubSub, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Routine } from "../../../src/contract/schema/routine.ts"
import { Task } from "../../../src/contract/schema/task.ts"
import { makeBoardClient } from "./boardClient.ts"

const decodeRoutine = Schema.decodeUnknownSync(Routine)
const decodeRoutines = Schema.decodeUnknownSync(Schema.Struct({ routines: Schema.Array(Routine) }))
const decodeTask = Schema.decodeUnknownSync(Task)

const MONDAY_8 = Date.parse("2026-11-30T08:00:00Z")
const HOUR = 3_600_000

const weekly = {
  name: "Weekly report",
  schedule: { cron: "0 9 * * 1", zone: "UTC" },
  task: { title: "Report {n} of {date}", labels: ["report"] }
}

const makeClient = Effect.gen(function* () {
  yield* TestClock.setTime(MONDAY_8)
  return yield* makeBoardClient()
})

describe("the routes of routines", () => {
  it.effect("add, list, change and delete one", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      assert.deepStrictEqual((yield* call("GET", "routines")).json, { routines: [] })
      const made = yield* call("POST", "routines", weekly)
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(made.json, {
        ...weekly,
        id: made.id,
        enabled: true,
        skipWhileOpen: true,
        nextAt: MONDAY_8 + HOUR,
        version: 1
      })
      assert.deepStrictEqual((yield* call("GET", "routines")).json, { routines: [made.json] })

      const changed = yield* call("PATCH", `routines/${made.id}`, {
        version: 1,
        name: "Daily report",
        schedule: { cron: "30 10 * * *" },
        task: { title: "Daily" },
        skipWhileOpen: false
      })
      assert.strictEqual(changed.status, 200)
      const routine = decodeRoutine(changed.json)
      assert.deepStrictEqual(routine.schedule, { cron: "30 10 * * *", zone: "UTC" })
      assert.deepStrictEqual(routine.task, { title: "Daily" })
      assert.strictEqual(routine.nextAt, MONDAY_8 + 2.5 * HOUR)
      assert.strictEqual(routine.version, 2)

      const off = yield* call("PATCH", `routines/${made.id}`, { version: 2, enabled: false })
      assert.isFalse(Object.hasOwn(decodeRoutine(off.json), "nextAt"))
      const on = yield* call("PATCH", `routines/${made.id}`, { version: 3, enabled: true })
      assert.strictEqual(decodeRoutine(on.json).nextAt, MONDAY_8 + 2.5 * HOUR)

      assert.deepStrictEqual((yield* call("DELETE", `routines/${made.id}`)).json, { ok: true })
      assert.deepStrictEqual((yield* call("GET", "routines")).json, { routines: [] })
    })
  )

  it.effect("without a zone take the server's", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const made = yield* call("POST", "routines", { ...weekly, schedule: { cron: "0 9 * * 1" } })
      assert.strictEqual(decodeRoutine(made.json).schedule.zone, Intl.DateTimeFormat().resolvedOptions().timeZone)
    })
  )

  it.effect("make a card by hand, apart from the schedule", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const { id } = yield* call("POST", "routines", { ...weekly, enabled: false })
      const first = yield* call("POST", `routines/${id}/run`)
      assert.strictEqual(first.status, 201)
      const card = decodeTask(first.json)
      assert.strictEqual(card.title, "Report 1 of 2026-11-30")
      assert.deepStrictEqual(card.labels, ["report"])
      assert.strictEqual(card.createdBy, "operator")
      // The last card is open, which only counts for the schedule.
      const second = yield* call("POST", `routines/${id}/run`)
      assert.strictEqual(decodeTask(second.json).title, "Report 2 of 2026-11-30")
      const [routine] = decodeRoutines((yield* call("GET", "routines")).json).routines
      assert.strictEqual(routine?.lastTaskId, second.id)
      assert.isFalse(Object.hasOwn(routine ?? {}, "lastAt"))
      assert.isFalse(Object.hasOwn(routine ?? {}, "nextAt"))
      assert.strictEqual(routine?.version, 1)
    })
  )

  it.effect("refuse what isn't a routine", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const refusals: ReadonlyArray<readonly [field: string, body: object]> = [
        ["name", { ...weekly, name: undefined }],
        ["name", { ...weekly, name: " " }],
        ["schedule", { ...weekly, schedule: undefined }],
        ["schedule.cron", { ...weekly, schedule: {} }],
        ...["0 0 9 * * 1", "0 9 * *", "61 9 * * 1", "@daily", "", "0 0 30 2 *"].map(
          (cron) => ["schedule.cron", { ...weekly, schedule: { cron } }] as const
        ),
        ["schedule.zone", { ...weekly, schedule: { cron: "0 9 * * 1", zone: "Mars/Olympus" } }],
        ["task", { ...weekly, task: undefined }],
        ["task.title", { ...weekly, task: {} }],
        ["task.priority", { ...weekly, task: { title: "T", priority: "x" } }],
        ["enabled", { ...weekly, enabled: "yes" }],
        ["skipWhileOpen", { ...weekly, skipWhileOpen: 1 }]
      ]
      for (const [field, body] of refusals) {
        const refused = yield* call("POST", "routines", body)
        assert.strictEqual(refused.status, 400, JSON.stringify(body))
        assert.include(refused.json, { error: "validation_error" })
        assert.isTrue(refused.details?.startsWith(`${field}: `), `${JSON.stringify(body)} ${refused.details}`)
      }
      const { id } = yield* call("POST", "routines", weekly)
      assert.strictEqual((yield* call("PATCH", `routines/${id}`, { name: "x" })).details, "version: is required")
      assert.strictEqual((yield* call("PATCH", `routines/${id}`, { version: 1, task: {} })).status, 400)
    })
  )

  it.effect("check the cards that its task waits for, and wait for those that are gone later", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      const linked = (id: string) => ({ ...weekly, task: { title: "T", after: [id], autoStart: true } })
      const unknown = yield* call("POST", "routines", linked("none"))
      assert.strictEqual(unknown.status, 400)
      assert.isTrue(unknown.details?.startsWith("task.after: "), unknown.details)
      const first = yield* call("POST", "tasks", { title: "First" })
      const { id } = yield* call("POST", "routines", linked(first.id))
      // The gateway is away in this test, which is another reason.
      const firstReason = Effect.map(call("POST", `routines/${id}/run`), ({ json }) => decodeTask(json).waitsFor?.[0])
      assert.deepInclude(yield* firstReason, { kind: "card", id: first.id })
      yield* call("DELETE", `tasks/${first.id}`)
      assert.deepInclude(yield* firstReason, { kind: "person", id: first.id })
      assert.strictEqual((yield* call("PATCH", `routines/${id}`, { version: 1, ...linked(first.id) })).status, 200)
      assert.strictEqual((yield* call("PATCH", `routines/${id}`, { version: 2, ...linked("none") })).status, 400)
    })
  )

  it.effect("know no other ids, and another version is a conflict", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      for (const answer of [
        yield* call("PATCH", "routines/none", { version: 1 }),
        yield* call("DELETE", "routines/none"),
        yield* call("POST", "routines/none/run")
      ]) {
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(answer.json, { error: "not_found" })
      }
      const made = yield* call("POST", "routines", weekly)
      const conflict = yield* call("PATCH", `routines/${made.id}`, { version: 2, name: "x" })
      assert.strictEqual(conflict.status, 409)
      assert.deepStrictEqual(conflict.json, { error: "version_conflict", serverVersion: 1, latest: made.json })
    })
  )

  it.effect("keep 200", () =>
    Effect.gen(function* () {
      const { call } = yield* makeClient
      for (let made = 0; made < 200; made += 1)
        assert.strictEqual((yield* call("POST", "routines", { ...weekly, enabled: false })).status, 201)
      const refused = yield* call("POST", "routines", weekly)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.json, { error: "too_many" })
      assert.isString(refused.details)
    })
  )

  it.effect("announce each change with its id", () =>
    Effect.gen(function* () {
      const { app, call } = yield* makeClient
      const events = yield* app.events.subscribe
      const { id } = yield* call("POST", "routines", weekly)
      yield* call("PATCH", `routines/${id}`, { version: 1, name: "x" })
      yield* call("POST", `routines/${id}/run`)
      yield* call("DELETE", `routines/${id}`)
      const told = (yield* PubSub.takeAll(events)).flatMap((event) =>
        event.event === "kanban.changed" && event.data.kind !== "task" ? [event.data] : []
      )
      assert.deepStrictEqual(
        told,
        Array.from({ length: 4 }, () => ({ kind: "routine", action: "routine", id }))
      )
    })
  )
})
