import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { Task } from "../../src/contract/schema/task.ts"
import { startConsole } from "./support/consoleProcess.ts"
import { describeOn } from "./support/describeOn.ts"

const decodeTask = Schema.decodeUnknownEffect(Task)
const decodeTasks = Schema.decodeUnknownEffect(Schema.Struct({ items: Schema.Array(Task) }))
const decodeLog = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ type: Schema.String, level: Schema.String, message: Schema.String }))
)
const Info = Schema.Struct({ model: Schema.String })

/** Asks again until the answer is as wanted; the console takes 60 questions of a kind in a minute. */
const until = <A, E>(ask: Effect.Effect<A, E>, isWanted: (answer: A) => boolean) =>
  Effect.repeat(ask, {
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "50 seconds" })),
    until: isWanted
  }).pipe(Effect.andThen(ask))

for (const gateway of inject("gateways")) {
  const isOld = gateway.version.startsWith("2026.3")

  describeOn(gateway)(`runs of the board on gateway ${gateway.version}`, () => {
    it.live("use its own model, say what a failure came from, and leave their traces in the agent log", () =>
      Effect.gen(function* () {
        const { url } = yield* startConsole({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const send = (method: string, path: string, body: object | null = null) =>
          Effect.tryPromise(
            (): Promise<unknown> =>
              fetch(`${url}/api/${path}`, { method, body: body && JSON.stringify(body) }).then((answer) =>
                answer.json()
              )
          )
        const run = Effect.fnUntraced(function* (title: string) {
          const { id } = yield* Effect.flatMap(send("POST", "kanban/tasks", { title }), decodeTask)
          yield* send("POST", `kanban/tasks/${id}/execute`)
          const found = Effect.map(Effect.flatMap(send("GET", "kanban/tasks?limit=200"), decodeTasks), ({ items }) =>
            items.find((task) => task.id === id)
          )
          return yield* until(found, (task) => task?.status !== "in-progress")
        })

        const marker = '[kanban:create]{"titel": 1}[/kanban:create]'
        const done = yield* run(`Say it [[mock:text=Done. ${marker} Bye.]]`)
        assert.deepInclude(done, { status: "review", result: "Done.  Bye." })
        assert.notProperty(done?.run, "note")
        const session = yield* send("GET", `gateway/session-info?sessionKey=${done?.run?.sessionKey}`)
        assert.strictEqual((yield* Schema.decodeUnknownEffect(Info)(session)).model, "mock/mock-fast")

        const failed = yield* run("Fail [[mock:error=400]]")
        assert.strictEqual(failed?.status, "todo")
        assert.strictEqual(
          failed?.run?.error,
          isOld
            ? "the model's provider rejected the request for this model: choose another model for this task"
            : "the provider mock rejected the request for the model mock-fast: choose another model for this task"
        )

        const lines = yield* until(Effect.flatMap(send("GET", "agentlog"), decodeLog), (log) => log.length >= 5)
        assert.deepStrictEqual(
          lines.map(({ type, level }) => [type, level]),
          [
            ["run", "info"],
            ["run", "info"],
            ["marker", "warning"],
            ["run", "info"],
            ["run", "error"]
          ]
        )
        assert.match(lines[2]?.message ?? "", /marker was ignored: it needs a title \(it has titel\)\.$/)
      }).pipe(Effect.scoped)
    )
  })
}
