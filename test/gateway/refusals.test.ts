import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"

const Created = Schema.Struct({ id: Schema.String })
const Jobs = Schema.Struct({
  result: Schema.Struct({ jobs: Schema.Array(Schema.Struct({ name: Schema.optionalKey(Schema.String) })) })
})

for (const gateway of inject("gateways")) {
  const isOld = gateway.version.startsWith("2026.3")
  const fresh = consoleFor({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token, GATEWAY_CLI: "/nonexistent" })

  describeOn(gateway)(`values that gateway ${gateway.version} does not take`, () => {
    it.live("of a session are reported by field and value, and change nothing", () =>
      Effect.gen(function* () {
        const send = yield* fresh
        const sessionKey = `agent:main:test-${randomUUID()}`
        const offered = "choose another one, such as mock/mock-fast, mock/mock-think."
        const ofFast = isOld ? "off, minimal, low, medium, high or adaptive" : "off"
        for (const [change, details] of [
          [{ model: "nope/none" }, `model: The gateway doesn't have the model "nope/none": ${offered}`],
          [{ model: "mock/none" }, `model: The gateway doesn't have the model "mock/none": ${offered}`],
          [
            { thinkingLevel: "enormous" },
            `thinkingLevel: The model doesn't support the thinking level "enormous": choose ${ofFast}.`
          ],
          [
            { thinkingLevel: "xhigh" },
            `thinkingLevel: The model doesn't support the thinking level "xhigh": choose ${isOld ? "another one" : "off"}.`
          ]
        ] as const) {
          assert.deepStrictEqual(yield* send("POST", "/api/gateway/session-patch", { sessionKey, ...change }), {
            status: 400,
            body: { error: "validation_error", details }
          })
        }
        const info = yield* send("GET", `/api/gateway/session-info?sessionKey=${sessionKey}`)
        assert.deepStrictEqual(info.body, { model: "mock/mock-fast", thinking: "off" })
      }).pipe(Effect.scoped)
    )

    it.live("of a job are reported by field and value, and make none", () =>
      Effect.gen(function* () {
        const send = yield* fresh
        const name = `refused ${randomUUID()}`
        const job = { name, schedule: "0 9 * * *", prompt: "x", enabled: false }
        const made = yield* send("POST", "/api/crons", { job: { ...job, name: "taken" } })
        const { id } = yield* Schema.decodeUnknownEffect(Created)(made.body)
        const cron = (expr: string, tz?: string) => ({ kind: "cron", expr, ...(tz === undefined ? {} : { tz }) })
        const turn = { kind: "agentTurn", message: "x" }
        for (const [fields, details] of [
          [{ schedule: { kind: "weekly" } }, /^\w+\.schedule: .*cron, every or at, not "weekly"$/],
          [{ schedule: "61 9 * * *" }, /^\w+\.schedule: must be a cron expression/],
          [{ schedule: cron("0 9 * * *", "No/Where") }, /^\w+\.schedule: must have an IANA time zone/],
          [{ schedule: { kind: "at", at: "2001-01-01T00:00:00Z" } }, /^schedule\.at: The time "2001.* is in the past/],
          [{ schedule: { kind: "at", at: "2999-01-01T00:00:00Z" } }, /^schedule\.at: The time "2999.* too far away/],
          [{ colour: "red" }, /^colour: The gateway has no such field\.$/],
          [{ description: 5 }, /^description: The gateway doesn't accept 5\.$/],
          [{ sessionTarget: "main", payload: turn, prompt: undefined }, /^payload\.kind: A job in the main session/],
          ...(isOld
            ? []
            : ([
                [{ schedule: "0 9 32 * L" }, /^schedule: The schedule "0 9 32 \* L" isn't a valid cron expression/],
                [{ schedule: "0 9 30 2 *" }, /^schedule: The schedule "0 9 30 2 \*" never runs/],
                [{ channel: "nowhere" }, /^channel: The gateway has no channel "nowhere"/]
              ] as const))
        ] as const) {
          const added = yield* send("POST", "/api/crons", { job: { ...job, ...fields } })
          const patched = yield* send("PATCH", `/api/crons/${id}`, { patch: fields })
          for (const { status, body } of [added, patched]) {
            assert.deepInclude([400], status, JSON.stringify([fields, body]))
            assert.strictEqual(body.error, "validation_error")
            assert.match(String(body.details), details)
          }
        }
        const { result } = yield* Schema.decodeUnknownEffect(Jobs)((yield* send("GET", "/api/crons")).body)
        assert.notInclude(
          result.jobs.map((listed) => listed.name),
          name
        )
        yield* send("DELETE", `/api/crons/${id}`)
      }).pipe(Effect.scoped)
    )
  })
}
