import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { replyTo } from "../../../../practice-gateway/src/demo/replyTo.ts"
import type { DemoAgent } from "../../../../practice-gateway/src/demo/steps.ts"
import { eventually, makeConsoleLife } from "../../../support/consoleLife.ts"

/** Returns the given values, and fails on request. */
const agent: DemoAgent = (prompt) => (/\bfail\b/.test(prompt.text) ? [{ type: "fail" }] : replyTo(prompt))

const Job = Schema.Struct({ id: Schema.String })
const Runs = Schema.Struct({ entries: Schema.Array(Schema.Unknown) })

for (const generation of ["old", "new"] as const) {
  describe(`what a gateway of the ${generation} generation did while the console was down`, () => {
    it.live("is read at the next start: markers in responses become proposals, once", () =>
      Effect.gen(function* () {
        const { sayAndWait, start } = yield* makeConsoleLife({ generation })
        yield* sayAndWait("a task from before the first start")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { proposals } = yield* start
            yield* sayAndWait("a task while it listens")
            yield* eventually(proposals, ({ length }) => length === 1)
          })
        )
        yield* sayAndWait("a task in the same session")
        yield* sayAndWait("a task in another session", "agent:main:third")
        for (let life = 0; life < 2; life += 1)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { proposals } = yield* start
              yield* eventually(proposals, ({ length }) => length >= 3 + life)
              // What is said after it comes after everything that was missed.
              yield* sayAndWait("a task at last")
              yield* eventually(proposals, ({ length }) => length >= 4 + life)
              assert.lengthOf(yield* proposals, 4 + life)
            })
          )
      })
    )

    it.live("is read again after the link was cut", () =>
      Effect.gen(function* () {
        const { control, sayAndWait, start } = yield* makeConsoleLife({ generation })
        const { proposals } = yield* start
        yield* sayAndWait("a task first")
        yield* eventually(proposals, ({ length }) => length === 1)
        yield* control.dropConnections
        yield* sayAndWait("a task second").pipe(Effect.retry(Schedule.spaced("10 millis")))
        yield* eventually(proposals, ({ length }) => length >= 2)
        yield* sayAndWait("a task third")
        yield* eventually(proposals, ({ length }) => length >= 3)
        assert.lengthOf(yield* proposals, 3)
      })
    )

    it.live("has a job that failed in the inbox, once, until it runs well", () =>
      Effect.gen(function* () {
        const { client, sayAndWait, start } = yield* makeConsoleLife({ generation, agent })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { proposals } = yield* start
            // Live events wait until the feed has started.
            yield* sayAndWait("a task")
            yield* eventually(proposals, ({ length }) => length === 1)
          })
        )
        const job = yield* client.request(
          "cron.add",
          {
            name: "Nightly",
            schedule: { kind: "cron", expr: "0 9 * * *" },
            sessionTarget: "isolated",
            wakeMode: "now",
            payload: { kind: "agentTurn", message: "fail" },
            delivery: { mode: "none" }
          },
          Job
        )
        const run = client.request("cron.run", { id: job.id, mode: "force" }, Schema.Unknown)
        const ended = (count: number) =>
          eventually(
            client.request("cron.runs", { id: job.id, limit: 5 }, Runs),
            ({ entries }) => entries.length === count
          )
        yield* run
        yield* ended(1)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { inbox, send } = yield* start
            const { items } = yield* eventually(inbox("?state=open&kind=failed"), ({ total }) => total === 1)
            assert.deepInclude(items[0], { kind: "failed", title: "Nightly" })
            const dismissed = yield* send("POST", `/api/inbox/${items[0].id}/resolve`, { action: "dismiss" })
            assert.deepInclude(dismissed.body.resolution, { action: "dismiss", by: "console" })
          })
        )
        yield* run
        yield* ended(2)
        const { inbox, send } = yield* start
        const { items } = yield* eventually(inbox("?state=open&kind=failed"), ({ total }) => total === 1)
        yield* client.request(
          "cron.update",
          { id: job.id, patch: { payload: { kind: "agentTurn", message: "hello" } } },
          Schema.Unknown
        )
        const retried = yield* send("POST", `/api/inbox/${items[0].id}/resolve`, { action: "retry" })
        assert.deepInclude(retried.body.resolution, { action: "retry", by: "console" })
        yield* ended(3)
        assert.strictEqual((yield* inbox("?kind=failed")).total, 2)
      })
    )
  })
}
