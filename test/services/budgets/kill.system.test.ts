import { randomInt, randomUUID } from "node:crypto"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schedule } from "effect"
import { consoleAddress } from "../../support/consoleAddress.ts"
import { randomFrom } from "../../support/killedProcess.ts"
import { startConsole, temporaryDirectory } from "../../support/runConsole.ts"
import { makeBudgetLife } from "./budgetLife.ts"

/** `BUDGET_KILLS=20 npx vitest run test/services/budgets/kill.system.test.ts` does twenty for each generation. */
const KILLS = Number(process.env.BUDGET_KILLS ?? 2)
const SEED = Number(process.env.BUDGET_SEED ?? randomInt(1_000_000))
const KEY = "agent:main:work"
const LIMIT = 4

for (const generation of ["new", "old"] as const) {
  it.live(
    `after ${KILLS} x kill -9 at any moment, and a gateway that drops connections, a used up budget holds, and its session goes on once (${generation}, seed ${SEED})`,
    () =>
      Effect.gen(function* () {
        const random = randomFrom(SEED)
        const life = yield* makeBudgetLife(generation)
        const directory = yield* temporaryDirectory
        const variables = {
          GATEWAY_URL: life.gateway.url,
          GATEWAY_TOKEN: Redacted.value(life.gateway.token),
          GATEWAY_HOME: join(directory, "gateway"),
          SVC_HOME: join(directory, "home"),
          PORT: "0"
        }
        const start = Effect.gen(function* () {
          const address = yield* consoleAddress(yield* startConsole({ directory, variables }))
          return (method: string, path: string, body?: unknown) =>
            Effect.promise(async () => {
              const answer = await fetch(`${address}${path}`, {
                method,
                headers: { "content-type": "application/json" },
                ...(body === undefined ? {} : { body: JSON.stringify(body) })
              })
              return { status: answer.status, body: await answer.json() }
            })
        })
        let id = ""
        for (let kill = 0; kill < KILLS; kill += 1) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const call = yield* start
              if (id === "") {
                const made = yield* call("POST", "/api/budgets", {
                  scope: { kind: "all" },
                  period: "total",
                  limit: { turns: LIMIT }
                })
                id = made.body.id
                yield* call("POST", "/api/outbox", {
                  id: randomUUID(),
                  sessionKey: KEY,
                  text: "endless work",
                  mode: "next"
                })
              }
              if (random(2) === 0) yield* Effect.forkScoped(Effect.delay(life.control.dropConnections, random(1500)))
              yield* Effect.sleep(random(4000))
            })
          )
        }
        const call = yield* start
        const ask = Effect.delay(call("GET", "/api/budgets"), "1 second")
        const paused = yield* ask.pipe(
          Effect.repeat({ until: ({ body }) => body.budgets[0].state === "paused" }),
          Effect.timeoutOption("60 seconds")
        )
        assert.isTrue(Option.isSome(paused), "it paused")
        const figures = life.figures(KEY).pipe(Effect.retry(Schedule.spaced("100 millis")))
        yield* Effect.sleep("3 seconds")
        const before = yield* figures
        yield* Effect.sleep("3 seconds")
        assert.deepStrictEqual(yield* figures, before, "nothing runs while it's paused")
        const again = yield* call("POST", `/api/budgets/${id}/resolve`, { action: "again" })
        assert.strictEqual(again.status, 200, JSON.stringify(again.body))
        const goings = Effect.map(
          life.asked(KEY),
          (asked) => asked.filter((text) => text.includes("continue from where you stopped")).length
        ).pipe(Effect.retry(Schedule.spaced("100 millis")))
        const told = yield* Effect.repeat(Effect.delay(goings, "200 millis"), { until: (count) => count > 0 }).pipe(
          Effect.timeoutOption("60 seconds")
        )
        assert.isTrue(Option.isSome(told), "it was asked to go on")
        yield* Effect.sleep("3 seconds")
        assert.strictEqual(yield* goings, 1)
        const counted = Effect.gen(function* () {
          const { turns } = yield* figures
          return { turns, spent: (yield* call("GET", "/api/budgets")).body.budgets[0].spent.turns }
        })
        const last = yield* counted.pipe(
          Effect.delay("1 second"),
          Effect.repeat({ schedule: Schedule.recurs(20), until: ({ spent, turns }) => spent === turns })
        )
        assert.strictEqual(last.spent, last.turns, "every response counted once")
      }).pipe(Effect.scoped),
    240_000
  )
}
