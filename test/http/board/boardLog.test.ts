import { assert, it } from "@effect/vitest"
import { Effect, PubSub } from "effect"
import { makeGatewayApp } from "../../support/gatewayApp.ts"

it.effect("what agents do for the board, and markers that were left out, are in the agent log", () =>
  Effect.gen(function* () {
    const app = yield* makeGatewayApp({ generation: "new", tokenMs: 60_000 })
    const events = yield* app.events.subscribe
    const written = PubSub.take(events).pipe(Effect.repeat({ until: ({ event }) => event === "agentlog.added" }))
    const { id } = (yield* app.send("POST", "/api/kanban/tasks", { title: "Mend the roof" })).body
    const { run } = (yield* app.send("POST", `/api/kanban/tasks/${id}/execute`)).body
    yield* written
    const result = 'Done. [kanban:create]{"titel": 1}[/kanban:create] [kanban:update]{"id":"none"}[/kanban:update]'
    const done = yield* app.send("POST", `/api/kanban/tasks/${id}/complete`, { result })
    assert.strictEqual(done.body.result, "Done.")
    yield* Effect.repeat(written, { times: 2 })
    yield* app.send("PATCH", `/api/kanban/tasks/${id}`, { version: done.body.version, status: "todo" })
    yield* app.send("POST", `/api/kanban/tasks/${id}/execute`)
    yield* app.send("POST", `/api/kanban/tasks/${id}/complete`, { error: "the model is away" })
    yield* Effect.repeat(written, { times: 1 })
    yield* app.send("POST", `/api/kanban/tasks/${id}/execute`)
    yield* app.send("POST", `/api/kanban/tasks/${id}/abort`)
    yield* Effect.repeat(written, { times: 1 })

    const { body } = yield* app.send("GET", "/api/agentlog")
    assert.deepStrictEqual(
      body.map(({ type, level, message }: Record<string, unknown>) => [type, level, message]),
      [
        ["run", "info", "Agent main started working on “Mend the roof”."],
        ["run", "info", "Agent main finished “Mend the roof”, which is ready for review."],
        [
          "marker",
          "warning",
          "In the answer to “Mend the roof”, a [kanban:create] marker was ignored: it needs a title (it has titel)."
        ],
        [
          "marker",
          "warning",
          "In the answer to “Mend the roof”, a [kanban:update] marker was ignored: there's no task none."
        ],
        ["run", "info", "Agent main started working on “Mend the roof”."],
        ["run", "error", "Agent main didn't finish “Mend the roof”: the model is away."],
        ["run", "info", "Agent main started working on “Mend the roof”."],
        ["run", "warning", "Agent main was stopped while working on “Mend the roof”."]
      ]
    )
    assert.deepStrictEqual(body[2].data, { taskId: id, sessionKey: run.sessionKey })
  })
)
