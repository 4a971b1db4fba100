import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { Task } from "../../src/contract/schema/task.ts"
import { call } from "../support/boardCalls.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../support/postgres.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

const TASKS = 6
const TOKEN = "token-of-the-test"

const decodeTask = Schema.decodeUnknownSync(Task)
const decodePage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(Task) }))
const decodeSend = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      method: Schema.Literal("chat.send"),
      params: Schema.Struct({ sessionKey: Schema.String, idempotencyKey: Schema.String })
    })
  )
)

describe.skipIf(!hasPostgres)(`tasks that three consoles start at once (${NEEDS_POSTGRES})`, () => {
  it.live(
    "are run once each, although one console is killed for good, one is killed and comes back, and so is the database",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort), true)
        const port = yield* Effect.promise(freePort)
        const gateway = Context.get(
          yield* Layer.build(practiceGateway({ tokenMs: 25, seed: false, token: TOKEN, port })),
          EmbeddedGateway
        )
        const directories = yield* Effect.all([temporaryDirectory, temporaryDirectory, temporaryDirectory])
        const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
        const start = Effect.fnUntraced(function* (index: number) {
          const running = yield* startConsole({
            directory: directories[index] ?? "",
            variables: {
              PORT: "0",
              GATEWAY_TOKEN: TOKEN,
              GATEWAY_URL: gateway.url,
              BOARD_URL: pg.url("postgres"),
              SVC_USER_NAME: `Person ${index}`
            }
          }).pipe(Scope.provide(scope))
          return { child: running.child, url: yield* consoleAddress(running) }
        })
        const consoles = yield* Effect.forEach([0, 1, 2], start)
        const last = consoles[2]?.url ?? ""

        const ids = yield* Effect.forEach(Array.from({ length: TASKS }), () =>
          Effect.map(
            Effect.promise(() => call("POST", `${last}/api/kanban/tasks`, { title: "slow please" })),
            ({ json }) => decodeTask(json).id
          )
        )
        const answers = yield* Effect.promise(() =>
          Promise.all(
            ids.flatMap((id) => consoles.map(({ url }) => call("POST", `${url}/api/kanban/tasks/${id}/execute`)))
          )
        )
        for (const { status } of answers) assert.strictEqual(status, 200)
        consoles[0]?.child.kill("SIGKILL")
        consoles[1]?.child.kill("SIGKILL")
        yield* Effect.promise(() => pg.kill().then(() => pg.start()))
        yield* start(1)

        const tasks = yield* Effect.promise(async () => {
          for (;;) {
            const { json, status } = await call("GET", `${last}/api/kanban/tasks`)
            const items = status === 200 ? decodePage(json).items : []
            if (items.length > 0 && items.every((task) => task.status === "review")) return items
            await delay(200)
          }
        })
        const sent = new Map<string, Set<string>>()
        for (const { text } of yield* gateway.control.frames) {
          const frame = decodeSend(text)
          if (frame._tag === "None") continue
          const { idempotencyKey, sessionKey } = frame.value.params
          sent.set(sessionKey, (sent.get(sessionKey) ?? new Set()).add(idempotencyKey))
        }
        assert.lengthOf(tasks, TASKS)
        assert.strictEqual(sent.size, TASKS)
        for (const { history, id, result, run } of tasks) {
          assert.strictEqual(run?.status, "done")
          assert.strictEqual(run?.sessionKey, `agent:main:task-${id}-1`)
          assert.isNotEmpty(result)
          // Sent again with the same key, the gateway runs it once.
          assert.strictEqual(sent.get(run?.sessionKey ?? "")?.size, 1)
          assert.deepStrictEqual(
            history?.map(({ what }) => what),
            ["started"]
          )
        }
      }),
    240_000
  )
})
