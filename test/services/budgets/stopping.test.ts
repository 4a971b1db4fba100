import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/consoleLife.ts"
import { makeBudgetLife } from "./budgetLife.ts"

const KEY = "agent:main:work"

describe.for(["new", "old"] as const)("the stop of everything, with a gateway of the %s generation", (generation) => {
  it.live("stops what runs, holds what waits through a restart, and lets messages go on in their order", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const cardId = yield* Effect.scoped(
        Effect.gen(function* () {
          const { call, execute, makeCard, outbox, send, task } = yield* life.start
          const card = yield* makeCard("long work")
          yield* execute(card.id)
          yield* send(KEY, "long work")
          yield* eventually(life.rows, (rows) => rows.filter(({ status }) => status === "running").length === 2)
          const stopped = yield* call("POST", "/api/stop", { reason: "the bill" })
          assert.containSubset(stopped.body, { active: true, by: "operator", stopped: 2 })
          yield* life.quiet
          const again = yield* call("POST", "/api/stop", { reason: "another" })
          assert.deepStrictEqual(again.body, { ...stopped.body, stopped: 0 })
          assert.containSubset(yield* eventually(task(card.id), ({ run }) => run?.paused !== undefined), {
            status: "in-progress",
            run: { status: "running", paused: { stop: true } }
          })
          const other = yield* makeCard("hello")
          const held = yield* execute(other.id)
          assert.strictEqual(held.status, 409)
          assert.containSubset(held.body, { error: "stopped", stop: { active: true, reason: "the bill" } })
          yield* send(KEY, "one")
          yield* send(KEY, "two")
          assert.containSubset(
            (yield* outbox).filter(({ state }) => state === "waiting"),
            [
              { text: "one", held: { by: "stop" } },
              { text: "two", held: { by: "stop" } }
            ]
          )
          return card.id
        })
      )
      const { call, list, outbox, task } = yield* life.start
      assert.containSubset((yield* list).stop, { active: true, reason: "the bill" })
      yield* life.say("long work", "agent:main:elsewhere")
      yield* life.quiet
      assert.containSubset(yield* task(cardId), { status: "in-progress", run: { paused: { stop: true } } })
      assert.deepStrictEqual((yield* call("DELETE", "/api/stop")).body, { active: false })
      yield* eventually(outbox, (all) => all.length === 0)
      const asked = yield* life.asked(KEY)
      const places = ["one", "two"].map((text) => asked.findIndex((one) => one.includes(text)))
      assert.isTrue(places.every((place) => place >= 0) && (places[0] ?? 0) < (places[1] ?? 0), JSON.stringify(asked))
      const back = yield* eventually(task(cardId), ({ status }) => status === "todo")
      assert.containSubset(back, { run: { status: "aborted", error: "the bill" }, feedback: [{ note: "the bill" }] })
      yield* life.quiet
      assert.isFalse(asked.some((text) => text.includes("continue from where you stopped")))
    })
  )

  it.live("stops a job that the gateway starts, and a gateway's sessions when it comes back", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife(generation)
      const { call } = yield* life.start
      yield* call("POST", "/api/stop")
      yield* life.control.dropConnections
      yield* eventually(
        call("POST", "/api/crons", { job: { name: "Night", schedule: "0 3 * * *", prompt: "long work" } }),
        ({ status }) => status === 200
      )
      yield* eventually(Effect.option(life.rows), ({ _tag }) => _tag === "Some")
      const { jobs } = (yield* call("GET", "/api/crons")).body.result
      yield* Effect.forkScoped(call("POST", `/api/crons/${jobs[0].id}/run`))
      yield* eventually(life.rows, (rows) => rows.some(({ key }) => key.includes(":cron:")))
      yield* life.quiet
      const key = (yield* life.rows).find((row) => row.key.includes(":cron:"))?.key ?? assert.fail("no run")
      assert.isAtMost((yield* life.figures(key)).turns, 3)
    })
  )
})

describe("a stop that the gateway doesn't carry out", () => {
  it.live("is tried again, told after ten seconds, and taken back when it stopped", () =>
    Effect.gen(function* () {
      const life = yield* makeBudgetLife("new")
      const { call, items, send } = yield* life.start
      yield* send(KEY, "hang")
      yield* eventually(life.rows, (rows) => rows.some(({ hasActiveRun }) => hasActiveRun === true))
      yield* life.control.setResponding(false)
      yield* Effect.forkScoped(call("POST", "/api/stop"))
      const told = yield* eventually(items(), (all) => all.some(({ kind }) => kind === "failed"))
      assert.containSubset(told, [
        { kind: "failed", sessionKey: KEY, titleWhy: { code: "SESSION_NOT_STOPPED" }, why: { code: "STOP_UNANSWERED" } }
      ])
      yield* life.control.setResponding(true)
      yield* life.control.dropConnections
      yield* eventually(items(), (all) => all.length === 0)
      yield* life.control.setResponding(true)
    })
  )
})
