import { randomInt } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { Task } from "../../src/contract/schema/task.ts"
import { call, followEvents, NEVER_ARRIVED } from "../support/boardCalls.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { randomFrom } from "../support/killedProcess.ts"
import { hasPostgres, NEEDS_POSTGRES, PASSWORD, postgresServer } from "../support/postgres.ts"
import { type ConsoleProcess, startConsole, temporaryDirectory } from "../support/runConsole.ts"

/** An ordinary test run does a part; `SHARED_CHANGES=1000 npx vitest run test/cli/sharedBoard.system.test.ts` does all. */
const CHANGES = Number(process.env.SHARED_CHANGES ?? 300)
/** `SHARED_MINUTES=10` goes on with faults at random for so long, after those at fixed places. */
const MINUTES = Number(process.env.SHARED_MINUTES ?? 0)
const SEED = Number(process.env.SHARED_SEED ?? randomInt(2 ** 31))
const WORKERS = 24
const TASKS = 20

const decodeTask = Schema.decodeUnknownSync(Task)
const decodePage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(Task), total: Schema.Int }))
const decodeConflict = Schema.decodeUnknownSync(Schema.Struct({ latest: Task }))
const decodeEvent = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ event: Schema.String, data: Schema.Struct({ id: Schema.String, task: Schema.optionalKey(Task) }) })
  )
)

/** The cards in this console's event stream from now on. */
const follow = (url: () => string, signal: AbortSignal) => {
  const told = new Map<string, Task>()
  const hear = (text: string) => {
    if (!text.includes('"kanban.changed"')) return
    const { task } = decodeEvent(text).data
    if (task !== undefined) told.set(task.id, task)
  }
  return { told, ended: followEvents(url, signal, hear) }
}

describe.skipIf(!hasPostgres)(`three consoles on one board (${NEEDS_POSTGRES})`, () => {
  it.live(
    `lose no acknowledged change and no update in ${CHANGES} changes${MINUTES > 0 ? ` and ${MINUTES} minutes` : ""} with kill -9 of consoles and of the database (seed ${SEED})`,
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort), true)
        const directories = yield* Effect.all([temporaryDirectory, temporaryDirectory, temporaryDirectory])
        const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
        const consoles: Array<{ process: ConsoleProcess; url: string }> = []
        let output = ""
        const start = Effect.fnUntraced(function* (index: number) {
          const running = yield* startConsole({
            directory: directories[index] ?? "",
            variables: {
              PORT: "0",
              GATEWAY_TOKEN: "x",
              BOARD_URL: pg.url("postgres"),
              GATEWAY_URL: "http://127.0.0.1:1"
            }
          }).pipe(Scope.provide(scope))
          void running.ended.then(({ stderr, stdout }) => {
            output += stdout + stderr
          })
          consoles[index] = { process: running, url: yield* consoleAddress(running) }
        })
        for (const index of [0, 1, 2]) yield* start(index)
        const url = (index: number) => consoles[index % 3]?.url ?? ""

        const tasks = new Map<string, Task>()
        while (tasks.size < TASKS) {
          const made = yield* Effect.promise(() =>
            call("POST", `${url(tasks.size)}/api/kanban/tasks`, { title: "T", estimateMin: 0 })
          )
          if (made.status !== 201) continue
          const task = decodeTask(made.json)
          tasks.set(task.id, task)
        }
        const ids = [...tasks.keys()]
        const stopReading = new AbortController()
        const streams = [0, 1, 2].map((index) => follow(() => url(index), stopReading.signal))
        yield* Effect.promise(() => delay(500))

        /** Per card: counted answers, counted increments, and changes without a response. */
        const counts = new Map(ids.map((id) => [id, { changes: 0, increments: 0, unknown: 0 }]))
        let acknowledged = 0
        let isOver = false
        const change = async (id: string, number: number) => {
          const known = tasks.get(id)
          const count = counts.get(id)
          if (known === undefined || count === undefined) return
          const { version } = known
          const increases = number % 3 > 0
          const answer = increases
            ? await call("PATCH", `${url(number)}/api/kanban/tasks/${id}`, {
                version,
                estimateMin: (known.estimateMin ?? 0) + 1
              })
            : await call("POST", `${url(number)}/api/kanban/tasks/${id}/reorder`, {
                version,
                targetStatus: number % 2 === 0 ? "todo" : "backlog",
                targetIndex: number % 7
              })
          const keep = (task: Task) => {
            if (task.version > (tasks.get(id)?.version ?? 0)) tasks.set(id, task)
          }
          if (answer.status === 200) {
            acknowledged += 1
            count.changes += 1
            if (increases) count.increments += 1
            keep(decodeTask(answer.json))
          } else if (answer.status === 409) keep(decodeConflict(answer.json).latest)
          else if (answer.status !== NEVER_ARRIVED) {
            assert.include([0, 503], answer.status)
            count.unknown += 1
          }
        }
        const worker = async (first: number) => {
          for (let number = first; acknowledged < CHANGES || !isOver; number += WORKERS)
            await change(ids[(number * 7) % TASKS] ?? "", number)
        }
        const at = async (count: number) => {
          while (acknowledged < count) await delay(5)
        }
        const kill = (index: number) =>
          Effect.gen(function* () {
            consoles[index]?.process.child.kill("SIGKILL")
            yield* start(index)
          })
        const random = randomFrom(SEED)
        let faultsAtRandom = 0
        const atRandom = Effect.gen(function* () {
          const until = performance.now() + MINUTES * 60_000
          while (performance.now() < until) {
            yield* Effect.sleep(500 + random(4500))
            faultsAtRandom += 1
            if (random(4) === 0) yield* Effect.promise(() => pg.kill().then(() => pg.start()))
            else yield* kill(random(3))
          }
        })
        const faults = Effect.gen(function* () {
          yield* Effect.promise(() => at(CHANGES * 0.15))
          consoles[0]?.process.child.kill("SIGSTOP")
          yield* Effect.promise(() => at(CHANGES * 0.25))
          yield* kill(1)
          yield* Effect.promise(() => at(CHANGES * 0.5))
          consoles[0]?.process.child.kill("SIGCONT")
          yield* Effect.promise(() => pg.kill().then(() => pg.start()))
          yield* Effect.promise(() => at(CHANGES * 0.75))
          yield* kill(2)
          yield* atRandom
          isOver = true
        })
        yield* Effect.all(
          [faults, ...Array.from({ length: WORKERS }, (_, first) => Effect.promise(() => worker(first)))],
          { concurrency: "unbounded" }
        )

        const everywhere = yield* Effect.forEach([0, 1, 2], (index) =>
          Effect.promise(async () => {
            for (;;) {
              const { json, status } = await call("GET", `${url(index)}/api/kanban/tasks?limit=200`)
              if (status === 200) return decodePage(json)
            }
          })
        )
        assert.deepStrictEqual(everywhere[1], everywhere[0])
        assert.deepStrictEqual(everywhere[2], everywhere[0])
        const final = everywhere[0]?.items ?? []
        assert.lengthOf(final, TASKS)
        let unknown = 0
        for (const task of final) {
          const count = counts.get(task.id) ?? { changes: 0, increments: 0, unknown: 0 }
          unknown += count.unknown
          assert.isAtLeast(task.version - 1, count.changes)
          assert.isAtMost(task.version - 1, count.changes + count.unknown)
          assert.isAtLeast(task.estimateMin ?? 0, count.increments)
          assert.isAtMost(task.estimateMin ?? 0, count.increments + count.unknown)
        }
        // Every stream ends with the same cards, also those that broke off meanwhile.
        const marked = yield* Effect.promise(async () => {
          await delay(1000)
          const answers = []
          for (const { id, version } of final) {
            answers.push(
              decodeTask((await call("PATCH", `${url(0)}/api/kanban/tasks/${id}`, { version, title: "End" })).json)
            )
          }
          return new Map(answers.map((task) => [task.id, task]))
        })
        for (const { told } of streams) {
          yield* Effect.promise(async () => {
            while ([...marked].some(([id, { version }]) => told.get(id)?.version !== version)) await delay(20)
          })
          for (const [id, task] of marked) assert.deepStrictEqual(told.get(id), task)
        }
        console.log(
          `${acknowledged} changes acknowledged, ${unknown} without an answer, none lost, ${faultsAtRandom} faults at random`
        )
        stopReading.abort()
        yield* Effect.promise(() => Promise.all(streams.map(({ ended }) => ended)))
        yield* Scope.close(scope, Exit.void)
        assert.notInclude(output, PASSWORD)
      }),
    240_000 + MINUTES * 120_000
  )
})
