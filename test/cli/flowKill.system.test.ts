import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import { type GenerationName, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { Task } from "../../src/contract/schema/task.ts"
import { call } from "../support/boardCalls.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { startConsole, temporaryDirectory } from "../support/runConsole.ts"

/** `FLOW_CARDS=500 FLOW_DEPTH=50 FLOW_KILLS=40 npx vitest run --project system flowKill` takes some minutes. */
const CARDS = Number(process.env.FLOW_CARDS ?? 24)
const DEPTH = Number(process.env.FLOW_DEPTH ?? 8)
const KILLS = Number(process.env.FLOW_KILLS ?? 4)
const TOKEN = "token-of-the-test"

const decodeTask = Schema.decodeUnknownSync(Task)
const decodePage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(Task), hasMore: Schema.Boolean }))

/** Which cards the card of a number waits for: none in the first layer, else one or two of the layer before. */
const predecessors = (number: number): ReadonlyArray<number> => {
  const width = Math.ceil(CARDS / DEPTH)
  const layer = Math.floor(number / width)
  if (layer === 0) return []
  const first = (layer - 1) * width
  return [...new Set([first + (number % width), first + ((number * 7 + layer) % width)])]
}

const made = async (url: () => string, path: string, body: object): Promise<Task> => {
  for (;;) {
    const { json, status } = await call("POST", `${url()}/api/kanban/${path}`, body)
    if (status === 201) return decodeTask(json)
    await delay(50)
  }
}

const allTasks = async (url: () => string): Promise<ReadonlyArray<Task> | undefined> => {
  const items: Array<Task> = []
  for (;;) {
    const { json, status } = await call("GET", `${url()}/api/kanban/tasks?limit=200&offset=${items.length}`)
    if (status !== 200) return undefined
    const page = decodePage(json)
    items.push(...page.items)
    if (!page.hasMore) return items
  }
}

for (const generation of ["new", "old"] satisfies ReadonlyArray<GenerationName>) {
  describe(`${CARDS} cards in a graph of depth ${DEPTH}, on a gateway of the ${generation} generation`, () => {
    it.live(
      `run to the end in order, each once, although the console is killed ${KILLS} times and the gateway's connections break`,
      () =>
        Effect.gen(function* () {
          const told: Array<string> = []
          const agent: DemoAgent = ({ text }) => {
            const title = text.split("\n", 1)[0] ?? ""
            told.push(title)
            return [{ type: "text", text: `This is what came of ${title}.` }]
          }
          const gateway = Context.get(
            yield* Layer.build(
              practiceGateway({
                generation,
                agent,
                tokenMs: 15,
                seed: false,
                token: TOKEN,
                port: yield* Effect.promise(freePort)
              })
            ),
            EmbeddedGateway
          )
          const directory = yield* temporaryDirectory
          let address = ""
          const start = Effect.gen(function* () {
            const scope = yield* Scope.make()
            const running = yield* startConsole({
              directory,
              variables: { PORT: "0", GATEWAY_TOKEN: TOKEN, GATEWAY_URL: gateway.url }
            }).pipe(Scope.provide(scope))
            address = yield* consoleAddress(running)
            // The scope's end kills it.
            return Scope.close(scope, Exit.void)
          })
          const url = () => address
          let kill = yield* start
          yield* Effect.addFinalizer(() => Effect.suspend(() => kill))
          yield* Effect.promise(() =>
            call("PUT", `${url()}/api/kanban/config`, {
              reviewRequired: false,
              parallel: { total: 6, perAgent: 6, paused: true }
            })
          )
          const ids: Array<string> = []
          for (let number = 0; number < CARDS; number += 1) {
            const after = predecessors(number).map((other) => ids[other] ?? "")
            const body = { title: `Card ${number}`, status: "todo", autoStart: true, after }
            ids.push((yield* Effect.promise(() => made(url, "tasks", body))).id)
          }
          yield* Effect.promise(() => call("PUT", `${url()}/api/kanban/config`, { parallel: { paused: false } }))

          for (let number = 0; number < KILLS; number += 1) {
            yield* Effect.sleep(`${200 + ((number * 379) % 900)} millis`)
            if (number % 2 === 1) yield* gateway.control.dropConnections
            yield* kill
            if (number % 3 === 2) yield* gateway.control.dropConnections
            kill = yield* start
          }
          const tasks = yield* Effect.promise(async () => {
            for (;;) {
              const items = (await allTasks(url)) ?? []
              if (items.length === CARDS && items.every(({ status }) => status === "done")) return items
              await delay(200)
            }
          })
          const byId = new Map(tasks.map((task) => [task.id, task]))
          for (const { after, attempts, id, result, run, title } of tasks) {
            assert.deepStrictEqual([title, attempts, run?.status], [title, 1, "done"])
            assert.strictEqual(run?.sessionKey, `agent:main:task-${id}-1`)
            assert.strictEqual(result, `This is what came of ${title}.`)
            for (const other of after)
              assert.isAtMost(byId.get(other)?.run?.endedAt ?? Number.POSITIVE_INFINITY, run?.startedAt ?? 0)
          }
          assert.deepStrictEqual(told.toSorted(), tasks.map(({ title }) => title).toSorted())
        }),
      600_000 + KILLS * 15_000
    )
  })
}
