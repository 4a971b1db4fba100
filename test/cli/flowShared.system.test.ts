import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { Task } from "../../src/contract/schema/task.ts"
import { call } from "../support/boardCalls.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../support/postgres.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

const TOKEN = "token-of-the-test"
const AWAY_MS = 4_000

const decodeTask = Schema.decodeUnknownSync(Task)
const decodePage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(Task) }))

describe.skipIf(!hasPostgres)(`two consoles on one board (${NEEDS_POSTGRES})`, () => {
  it.live(
    "start each card once, although one is killed for good, and the database is away when a card's time comes",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort), true)
        const told: Array<string> = []
        const agent: DemoAgent = ({ text }) => {
          told.push(text.split("\n", 1)[0] ?? "")
          return [{ type: "text", text: "Done." }]
        }
        const port = yield* Effect.promise(freePort)
        const gateway = Context.get(
          yield* Layer.build(practiceGateway({ agent, tokenMs: 25, seed: false, token: TOKEN, port })),
          EmbeddedGateway
        )
        const start = Effect.gen(function* () {
          const directory = yield* temporaryDirectory
          const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
          const running = yield* startConsole({
            directory,
            variables: {
              PORT: "0",
              GATEWAY_TOKEN: TOKEN,
              GATEWAY_URL: gateway.url,
              BOARD_URL: pg.url("postgres")
            }
          }).pipe(Scope.provide(scope))
          return { url: yield* consoleAddress(running), kill: Scope.close(scope, Exit.void) }
        })
        const first = yield* start
        const second = yield* start
        const tasks = async (): Promise<ReadonlyArray<Task>> => {
          for (;;) {
            const { json, status } = await call("GET", `${second.url}/api/kanban/tasks?limit=200`)
            if (status === 200) return decodePage(json).items
            await delay(100)
          }
        }
        // On a busy machine the database may be late; a change that was refused may have arrived all the same.
        const add = (title: string, more: object = {}) =>
          Effect.promise(async () => {
            for (;;) {
              const body = { title, status: "todo", autoStart: true, ...more }
              const { json, status } = await call("POST", `${second.url}/api/kanban/tasks`, body)
              const made = status === 201 ? decodeTask(json) : (await tasks()).find((task) => task.title === title)
              if (made !== undefined) return made
            }
          })
        const configure = (body: object) =>
          Effect.promise(async () => {
            while ((await call("PUT", `${second.url}/api/kanban/config`, body)).status !== 200) await delay(100)
          })
        const untilDone = (count: number) =>
          Effect.promise(async () => {
            for (let tries = 0; ; tries += 1) {
              const found = await tasks()
              if (found.length >= count && found.every(({ status }) => status === "done")) return found
              if (tries > 1_000)
                assert.fail(JSON.stringify(found.map(({ run, status, title }) => [title, status, run])))
              await delay(100)
            }
          })

        yield* configure({ reviewRequired: false, parallel: { total: 4, perAgent: 4 } })
        const roots = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (number) => add(`Root ${number}`))
        for (const [number, root] of roots.entries())
          yield* add(`Next ${number}`, { after: [root.id, roots[(number + 1) % roots.length]?.id] })
        // Whatever the first console has just begun, the second one carries on.
        yield* Effect.sleep("300 millis")
        yield* first.kill
        const ended = yield* untilDone(12)
        const byId = new Map(ended.map((task) => [task.id, task]))
        for (const { after, attempts, run } of ended) {
          assert.strictEqual(attempts, 1)
          for (const id of after)
            assert.isAtMost(byId.get(id)?.run?.endedAt ?? Number.POSITIVE_INFINITY, run?.startedAt ?? 0)
        }

        const startAt = Date.now() + AWAY_MS / 2
        yield* add("While it was away", { startAt })
        yield* Effect.promise(() => pg.kill())
        yield* Effect.sleep(`${AWAY_MS} millis`)
        yield* Effect.promise(() => pg.start())
        const late = (yield* untilDone(13)).find(({ title }) => title === "While it was away")
        assert.strictEqual(late?.attempts, 1)
        assert.isAtLeast(late?.run?.startedAt ?? 0, startAt)
        assert.lengthOf(told, (yield* Effect.promise(tasks)).length)
      }),
    240_000
  )
})
