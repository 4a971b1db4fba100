import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { InboxItem } from "../../src/contract/schema/inbox.ts"
import { Task } from "../../src/contract/schema/task.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"

const decodeInbox = Schema.decodeUnknownEffect(Schema.Struct({ items: Schema.Array(InboxItem) }))
const decodeTask = Schema.decodeUnknownEffect(Task)
const decodeTasks = Schema.decodeUnknownEffect(Schema.Struct({ items: Schema.Array(Task) }))
const decodeStatus = Schema.decodeUnknownEffect(Schema.Struct({ gateway: Schema.String }))

/** The console answers sixty such questions a minute. */
const patiently = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("1500 millis"), until: isIt }), Effect.timeout("90 seconds"))

const ORDER = `[[mock:tool=exec ${JSON.stringify({ command: "touch asked.txt" })}]] [[mock:text=all done]]`

for (const offered of inject("gateways")) {
  const { version } = offered
  const isOld = version.startsWith("2026.3")

  describeOn(offered)(`a card whose agent asks for permission, with gateway ${version}`, () => {
    it.live("is in review only after a person has decided, and says what wasn't allowed", () =>
      Effect.gen(function* () {
        const gateway = yield* startGateway({ version, extra: ["--ask"] })
        const send = yield* consoleFor({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        yield* patiently(
          Effect.flatMap(send("GET", "/health"), ({ body }) => decodeStatus(body)),
          (status) => status.gateway === "ok"
        )
        const { body: made } = yield* send("POST", "/api/kanban/tasks", { title: "Ask first", description: ORDER })
        const { id } = yield* decodeTask(made)
        const card = send("GET", "/api/kanban/tasks").pipe(
          Effect.flatMap(({ body }) => decodeTasks(body)),
          Effect.flatMap(({ items }) => Effect.fromNullishOr(items.find((task) => task.id === id)))
        )
        const open = Effect.flatMap(send("GET", "/api/inbox?state=open"), ({ body }) => decodeInbox(body))
        assert.isBelow((yield* send("POST", `/api/kanban/tasks/${id}/execute`, {})).status, 300)
        const { items } = yield* patiently(open, (page) => page.items.some(({ kind }) => kind === "approval"))
        const approval = items.find(({ kind }) => kind === "approval")
        assert.deepInclude(approval, { taskId: id, title: "touch asked.txt" })
        // The older generation ends the agent's turn at once.
        yield* Effect.sleep("12 seconds")
        assert.strictEqual((yield* card).status, "in-progress")
        const decided = yield* send("POST", `/api/inbox/${approval?.id}/resolve`, { action: "deny" })
        assert.strictEqual(decided.status, 200)
        const { result, run } = yield* patiently(card, ({ status }) => status === "review")
        assert.match(result ?? "", /all done/)
        assert.strictEqual(run?.note, isOld ? "The command “touch asked.txt” wasn't allowed." : undefined)
      }).pipe(Effect.scoped)
    )
  })
}
