import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGatewayApp } from "../../../support/gatewayApp.ts"

for (const generation of ["old", "new"] as const) {
  it.effect(`a date that never comes is refused at once, and what real gateways take is taken (${generation})`, () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation, tokenMs: 0 })
      const create = (schedule: string) =>
        app.send("POST", "/api/crons", {
          job: { name: schedule, schedule: { kind: "cron", expr: schedule }, prompt: "Look" }
        })
      for (const never of ["0 0 31 2 *", "0 0 30 2 *"]) {
        const refused = yield* create(never)
        assert.strictEqual(refused.status, 400, JSON.stringify(refused.body))
        assert.include(refused.body.details, "never runs")
      }
      for (const schedule of ["@daily", "0 0 L * *", "0 9 * * 1#1"]) {
        const made = yield* create(schedule)
        assert.strictEqual(made.status, 200, JSON.stringify(made.body))
      }
    })
  )
}
