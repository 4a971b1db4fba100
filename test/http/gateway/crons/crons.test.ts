import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"
import { worded } from "../../../support/worded.ts"

const Jobs = Schema.Struct({
  jobs: Schema.Array(
    Schema.Struct({ id: Schema.String, state: Schema.Struct({ runningAtMs: Schema.optionalKey(Schema.Finite) }) })
  )
})

const morning = { schedule: "0 9 * * *", prompt: "say good morning" }

describe("changes of cron jobs", () => {
  it.effect("are 429 once the gateway takes no more of them, and taken a minute later", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const create = app.send("POST", "/api/crons", { job: { ...morning, enabled: false } })
      const made = yield* Effect.all(Array.from({ length: 30 }, () => create))
      assert.deepStrictEqual([...new Set(made.map(({ status }) => status))], [200])
      const refused = yield* create
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(worded(refused.body), {
        error: "rate_limited",
        details: "The gateway limits how often jobs can be changed: try again in a minute."
      })
      assert.strictEqual((yield* app.send("DELETE", `/api/crons/${made[0]?.body.id}`)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* create).status, 200)
    })
  )
})

for (const generation of ["new", "old"] as const) {
  describe(`cron jobs of a gateway of the ${generation} generation`, () => {
    it.effect("are created from the simple form, shown in both, changed, switched and deleted", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const created = yield* app.send("POST", "/api/crons", { job: { ...morning, channel: "last" } })
        assert.strictEqual(created.status, 200)
        const { id } = created.body
        assert.deepInclude(created.body, {
          ok: true,
          name: "say good morning",
          enabled: true,
          schedule: { kind: "cron", expr: "0 9 * * *" },
          sessionTarget: "isolated",
          wakeMode: "now",
          delivery: { mode: "announce", channel: "last" },
          expression: "0 9 * * *",
          prompt: "say good morning",
          channel: "last"
        })
        const patched = yield* app.send("PATCH", `/api/crons/${id}`, {
          patch: { schedule: "*/5 * * * *", prompt: "say hello", channel: "", name: "Hello" }
        })
        assert.strictEqual(patched.status, 200)
        assert.deepInclude(patched.body, {
          ok: true,
          id,
          name: "Hello",
          expression: "*/5 * * * *",
          prompt: "say hello"
        })
        assert.notProperty(patched.body, "channel")
        const off = yield* app.send("POST", `/api/crons/${id}/toggle`, { enabled: false })
        assert.deepInclude(off.body, { ok: true, id, enabled: false })
        const { body } = yield* app.send("GET", "/api/crons")
        assert.isTrue(body.ok)
        const listed = body.result.jobs.find((job: { readonly id: string }) => job.id === id)
        assert.deepInclude(listed, { enabled: false, prompt: "say hello" })
        assert.deepStrictEqual(yield* app.send("DELETE", `/api/crons/${id}`), { status: 200, body: { ok: true, id } })
        assert.strictEqual((yield* app.send("DELETE", `/api/crons/${id}`)).status, 404)
      })
    )

    it.effect("take the gateway's own form as it is, and speak in the main session on request", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const own = {
          name: "Every hour",
          schedule: { kind: "every", everyMs: 3_600_000 },
          sessionTarget: "main",
          payload: { kind: "systemEvent", text: "an hour has passed" }
        }
        const created = yield* app.send("POST", "/api/crons", { job: own })
        assert.deepInclude(created.body, { ...own, prompt: "an hour has passed" })
        assert.notProperty(created.body, "expression")
        const { id } = created.body
        const patched = yield* app.send("PATCH", `/api/crons/${id}`, { patch: { prompt: "two hours" } })
        assert.deepInclude(patched.body, { payload: { kind: "systemEvent", text: "two hours" }, prompt: "two hours" })
      })
    )

    it.effect("run at once, wait for the end and show in the history", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const { id } = (yield* app.send("POST", "/api/crons", { job: morning })).body
        assert.deepStrictEqual((yield* app.send("GET", `/api/crons/${id}/runs`)).body, {
          ok: true,
          result: { entries: [] }
        })
        const run = yield* app.send("POST", `/api/crons/${id}/run`)
        assert.strictEqual(run.status, 200)
        assert.deepInclude(run.body, { ok: true, jobId: id, action: "finished", status: "ok" })
        assert.isNotEmpty(run.body.summary)
        assert.notProperty(run.body, "job")
        yield* Effect.forEach(Array.from({ length: 11 }), () => app.send("POST", `/api/crons/${id}/run`))
        const { entries } = (yield* app.send("GET", `/api/crons/${id}/runs`)).body.result
        assert.strictEqual(entries.length, 10)
        assert.isAtLeast(entries[0].ts, entries[9].ts)
      })
    )

    it.effect("that run cannot be started again: 409 until they have ended", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation, agent: () => [{ type: "hang" }] })
        const { id } = (yield* app.send("POST", "/api/crons", { job: morning })).body
        yield* app.client.request("cron.run", { id, mode: "force" }, Schema.Unknown)
        const again = yield* app.send("POST", `/api/crons/${id}/run`)
        assert.strictEqual(again.status, 409)
        assert.deepStrictEqual(worded(again.body), {
          error: "conflict",
          details: "The job is already running: wait until it has ended."
        })
      })
    )

    it.effect("are all listed when the gateway gives them page by page", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const before = (yield* app.send("GET", "/api/crons")).body.result.jobs.length
        yield* Effect.forEach(
          Array.from({ length: 205 }, (_, at) => ({
            name: `Job ${at}`,
            enabled: at % 2 === 0,
            schedule: { kind: "cron", expr: "0 9 * * *" },
            sessionTarget: "isolated",
            wakeMode: "now",
            payload: { kind: "agentTurn", message: "hello" }
          })),
          // The newer generation takes 30 a minute.
          (job, at) =>
            app.client
              .request("cron.add", job, Schema.Unknown)
              .pipe(Effect.andThen(at % 30 === 29 ? TestClock.adjust("1 minute") : Effect.void))
        )
        const { jobs } = (yield* app.send("GET", "/api/crons")).body.result
        assert.strictEqual(jobs.length, before + 205)
        assert.strictEqual(new Set(jobs.map((job: { readonly id: string }) => job.id)).size, before + 205)
      })
    )

    it.effect("with an unknown id are 404, whatever the id looks like", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        for (const id of ["unknown", "__proto__", "constructor", "..%2F..%2Fx", "a%00b", "a%5Cb", "x".repeat(10_000)]) {
          const answers = [
            yield* app.send("PATCH", `/api/crons/${id}`, { patch: { enabled: true } }),
            yield* app.send("PATCH", `/api/crons/${id}`, { patch: { prompt: "x" } }),
            yield* app.send("DELETE", `/api/crons/${id}`),
            yield* app.send("POST", `/api/crons/${id}/toggle`, { enabled: true }),
            yield* app.send("POST", `/api/crons/${id}/run`),
            yield* app.send("GET", `/api/crons/${id}/runs`)
          ]
          for (const { status, body } of answers) {
            assert.strictEqual(status, 404, id.slice(0, 40))
            assert.strictEqual(body.error, "not_found")
          }
        }
      })
    )

    it.effect("with values the gateway does not take are 400 and name them", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation })
        const { id } = (yield* app.send("POST", "/api/crons", { job: morning })).body
        const complete = {
          schedule: "0 9 * * *",
          sessionTarget: "isolated",
          wakeMode: "now",
          payload: { kind: "agentTurn", message: "say good morning" }
        }
        const zone = { kind: "cron", expr: "0 9 * * *", tz: "No/Where" }
        for (const [fields, details] of [
          [{ schedule: "abc" }, /^job\.schedule: must be a cron expression/],
          [{ schedule: "61 9 * * *" }, /^job\.schedule: must be a cron expression/],
          [{ schedule: { kind: "weekly" } }, /^job\.schedule: .*cron, every or at, not "weekly"$/],
          [{ schedule: {} }, /^job\.schedule: .*cron, every or at, not nothing$/],
          [{ schedule: zone }, /^job\.schedule: must have an IANA time zone/],
          [{ schedule: { kind: "every", everyMs: 0 } }, /^job\.schedule: must have everyMs/],
          [{ schedule: { kind: "at", at: "later" } }, /^job\.schedule: must have at/],
          [{ schedule: { kind: "at", at: "1969-01-01T00:00:00Z" } }, /^schedule\.at: The time "1969.* is in the past/],
          [{ schedule: { kind: "at", at: "2999-01-01T00:00:00Z" } }, /^schedule\.at: The time "2999.* too far away/],
          [{ colour: "red" }, /^colour: The gateway has no such field\.$/],
          [{ description: 5 }, /^description: The gateway doesn't accept 5\.$/],
          [{ payload: { kind: "poem", message: "x" } }, /^payload\.kind: The gateway doesn't accept "poem"\.$/],
          [
            { sessionTarget: "main", payload: { kind: "agentTurn", message: "x" } },
            /^payload\.kind: A job in the main session needs a systemEvent/
          ]
        ] as const) {
          const answer = yield* app.send("POST", "/api/crons", { job: { ...complete, ...fields } })
          assert.deepInclude(answer, { status: 400 }, JSON.stringify([fields, answer.body]))
          assert.strictEqual(answer.body.error, "validation_error")
          assert.match(answer.body.details, details)
          const changed = yield* app.send("PATCH", `/api/crons/${id}`, { patch: fields })
          assert.deepInclude(changed, { status: 400 }, JSON.stringify([fields, changed.body]))
          assert.match(changed.body.details.replace(/^patch\./, "job."), details)
        }
        const unknownChannel = { ...morning, channel: "nowhere" }
        const answer = yield* app.send("POST", "/api/crons", { job: unknownChannel })
        assert.strictEqual(answer.status, generation === "new" ? 400 : 200)
        if (generation === "new") assert.match(answer.body.details, /^channel: The gateway has no channel "nowhere"/)
      })
    )

    it.effect("that take longer than a minute are reported as running, and found later", () =>
      Effect.gen(function* () {
        const app = yield* makeGatewayApp({ generation, tokenMs: 60_000 })
        const { id } = (yield* app.send("POST", "/api/crons", { job: morning })).body
        const running = yield* Effect.forkChild(app.send("POST", `/api/crons/${id}/run`))
        const isStarted = Effect.map(app.client.request("cron.list", {}, Jobs), ({ jobs }) =>
          jobs.some((job) => job.id === id && job.state.runningAtMs !== undefined)
        )
        yield* Effect.repeat(isStarted, { until: (started) => started })
        yield* TestClock.adjust("60 seconds")
        const { status, body } = yield* Fiber.join(running)
        assert.strictEqual(status, 202)
        assert.deepInclude(body, { ok: true, jobId: id, running: true })
        assert.match(body.details, /still running after 60 seconds\. Its run history/)
      })
    )
  })
}

describe("cron jobs", () => {
  it.effect("with a bad schedule, or none, are 400 and never reach the gateway", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      for (const job of [
        { prompt: "x" },
        { ...morning, schedule: "" },
        { ...morning, schedule: "nonsense" },
        { ...morning, schedule: "61 9 * * *" },
        { ...morning, schedule: "* * * * * * * *" },
        { ...morning, schedule: 5 },
        { ...morning, schedule: null },
        { ...morning, schedule: {} },
        { ...morning, schedule: { kind: "cron" } },
        { ...morning, schedule: { kind: "cron", expr: "0 9 * * *", tz: "Nowhere/Nothing" } },
        { ...morning, schedule: { kind: "every", everyMs: 0 } },
        { ...morning, schedule: { kind: "at", at: "soon" } }
      ]) {
        const created = yield* app.send("POST", "/api/crons", { job })
        assert.strictEqual(created.status, 400, JSON.stringify(job))
        assert.strictEqual(created.body.error, "validation_error")
        assert.match(created.body.details, /^job\.schedule: /)
        if (!("schedule" in job)) continue
        const patched = yield* app.send("PATCH", "/api/crons/some", { patch: { schedule: job.schedule } })
        assert.strictEqual(patched.status, 400, JSON.stringify(job))
        assert.match(patched.body.details, /^patch\.schedule: /)
      }
    })
  )

  it.effect("with other bodies that do not fit are 400", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      const cases: ReadonlyArray<readonly [method: string, path: string, body: unknown]> = [
        ["POST", "/api/crons", "{"],
        ["POST", "/api/crons", ""],
        ["POST", "/api/crons", "null"],
        ["POST", "/api/crons", "[]"],
        ["POST", "/api/crons", {}],
        ["POST", "/api/crons", { job: [] }],
        ["POST", "/api/crons", { job: { schedule: "0 9 * * *" } }],
        ["POST", "/api/crons", { job: { schedule: "0 9 * * *", prompt: " " } }],
        ["POST", "/api/crons", { job: { ...morning, channel: 1 } }],
        ["POST", "/api/crons", { job: { ...morning, expression: "0 9 * * *" } }],
        ["PATCH", "/api/crons/x", {}],
        ["PATCH", "/api/crons/x", { patch: {} }],
        ["PATCH", "/api/crons/x", { patch: { enabled: "yes" } }],
        ["PATCH", "/api/crons/x", { patch: { expression: "0 9 * * *" } }],
        ["POST", "/api/crons/x/toggle", {}],
        ["POST", "/api/crons/x/toggle", { enabled: "true" }]
      ]
      for (const [method, path, body] of cases) {
        const answer = yield* app.send(method, path, body)
        assert.strictEqual(answer.status, 400, `${method} ${path} ${JSON.stringify(body)}`)
        assert.strictEqual(answer.body.error, "validation_error")
      }
    })
  )

  it.effect("with no gateway are 502 and say so", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      for (const [method, path, body] of [
        ["GET", "/api/crons"],
        ["POST", "/api/crons", { job: morning }],
        ["PATCH", "/api/crons/x", { patch: { enabled: true } }],
        ["DELETE", "/api/crons/x"],
        ["POST", "/api/crons/x/toggle", { enabled: true }],
        ["POST", "/api/crons/x/run"],
        ["GET", "/api/crons/x/runs"]
      ] as const) {
        const answer = yield* app.send(method, path, body)
        assert.strictEqual(answer.status, 502, `${method} ${path}`)
        assert.strictEqual(answer.body.error, "gateway_failure")
        assert.match(answer.body.details, /gateway cannot be reached/)
      }
    })
  )
})
