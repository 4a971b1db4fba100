import { assert, inject, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Proposal } from "../../../src/contract/schema/proposal.ts"
import { Task } from "../../../src/contract/schema/task.ts"
import { describeOn } from "../support/describeOn.ts"
import { patiently, throughConsole } from "../support/throughConsole.ts"

const decodeId = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const Named = Schema.Struct({ id: Schema.String })
const Jobs = Schema.Struct({ result: Schema.Struct({ jobs: Schema.Array(Named) }) })
const Runs = Schema.Struct({
  result: Schema.Struct({ entries: Schema.Array(Schema.Struct({ summary: Schema.String })) })
})
const Tasks = Schema.Struct({ items: Schema.Array(Task) })
const Proposals = Schema.Struct({ proposals: Schema.Array(Proposal) })

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`work through the console with gateway ${gateway.version}`, () => {
    it.live("cron: a job is made, runs, returns its output and is deleted", () =>
      Effect.gen(function* () {
        const { read, send } = yield* throughConsole(gateway)
        const job = { schedule: "0 9 * * *", prompt: "Say it. [[mock:text=said by the job]]" }
        const { id } = yield* Effect.flatMap(send("POST", "/api/crons", { job }), decodeId)
        const listed = Effect.map(read("/api/crons", Jobs), ({ result }) => result.jobs.some((one) => one.id === id))
        assert.isTrue(yield* listed)
        assert.deepInclude(yield* send("POST", `/api/crons/${id}/run`), { action: "finished", status: "ok" })
        const { result } = yield* read(`/api/crons/${id}/runs`, Runs)
        assert.deepStrictEqual(
          result.entries.map(({ summary }) => summary),
          ["said by the job"]
        )
        yield* send("DELETE", `/api/crons/${id}`)
        assert.isFalse(yield* listed)
      }).pipe(Effect.scoped)
    )

    it.live("board run: a card is run to review with what the agent said, and its proposal waits", () =>
      Effect.gen(function* () {
        const { read, send } = yield* throughConsole(gateway)
        const marker = '[kanban:create]{"title":"Follow up"}[/kanban:create]'
        const title = `Say it [[mock:text=Done. ${marker} Bye.]]`
        const { id } = yield* Effect.flatMap(send("POST", "/api/kanban/tasks", { title }), decodeId)
        yield* send("POST", `/api/kanban/tasks/${id}/execute`)
        const card = Effect.map(read("/api/kanban/tasks?limit=200", Tasks), ({ items }) =>
          items.find((task) => task.id === id)
        )
        const done = yield* patiently(card, (task) => task?.status !== "in-progress")
        assert.deepInclude(done, { status: "review", result: "Done.  Bye." })
        assert.strictEqual(done?.run?.status, "done")
        const { proposals } = yield* patiently(
          read("/api/kanban/proposals?status=pending", Proposals),
          (page) => page.proposals.length > 0
        )
        assert.deepStrictEqual(
          proposals.map(({ type, sourceSessionKey }) => [type, sourceSessionKey]),
          [["create", done?.run?.sessionKey]]
        )
      }).pipe(Effect.scoped)
    )
  })
}
