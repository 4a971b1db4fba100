import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { call } from "../support/boardCalls.ts"
import { consoleAddress } from "../support/consoleAddress.ts"
import { freePort } from "../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, PASSWORD, postgresServer } from "../support/postgres.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const WRONG = "the board's database refuses the user or the password in BOARD_URL"

describe.skipIf(!hasPostgres)(`a console whose password for the board is wrong (${NEEDS_POSTGRES})`, () => {
  it.live(
    "says so at the start, in answers and in doctor without showing it, works otherwise, and uses the board once it's right",
    () =>
      Effect.gen(function* () {
        const pg = yield* postgresServer(yield* Effect.promise(freePort))
        const psql = (...statements: ReadonlyArray<string>) => Effect.promise(() => pg.psql("postgres", ...statements))
        writeFileSync(
          join(pg.folder, "data", "pg_hba.conf"),
          "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        )
        yield* psql("SELECT pg_reload_conf()", "ALTER ROLE console PASSWORD 'another'")
        const variables = {
          PORT: "0",
          GATEWAY_TOKEN: "x",
          GATEWAY_URL: "http://127.0.0.1:1",
          BOARD_URL: pg.url("postgres")
        }
        const directory = yield* temporaryDirectory
        const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
        const running = yield* startConsole({ directory, variables }).pipe(Scope.provide(scope))
        const url = yield* consoleAddress(running)
        let answers = ""
        const ask = (method: string, path: string, body?: object) =>
          Effect.map(
            Effect.promise(() => call(method, `${url}${path}`, body)),
            (answer) => {
              answers += JSON.stringify(answer.json)
              return answer
            }
          )
        const refusedBoard = Effect.gen(function* () {
          for (const [method, path, body] of [
            ["GET", "/api/kanban/tasks"],
            ["POST", "/api/kanban/tasks", { title: "T" }]
          ] as const) {
            const { json, status } = yield* ask(method, path, body)
            assert.strictEqual(status, 503)
            assert.deepStrictEqual(json, { error: "board_unavailable", details: WRONG })
          }
          const health = yield* ask("GET", "/health")
          assert.strictEqual(health.status, 200)
          assert.deepInclude(health.json, { status: "ok", board: WRONG })
          assert.strictEqual((yield* ask("GET", "/api/inbox")).status, 200)
        })
        yield* refusedBoard
        const unwell = yield* runConsole({ directory, args: ["doctor"], variables })
        assert.match(unwell.stdout, /✗ Board +The board's database refuses the user or the password in BOARD_URL/)

        const works = Effect.promise(async () => {
          while ((await call("GET", `${url}/api/kanban/tasks`)).status !== 200) await delay(50)
        })
        yield* psql(`ALTER ROLE console PASSWORD '${PASSWORD}'`)
        yield* works
        assert.strictEqual((yield* ask("POST", "/api/kanban/tasks", { title: "T" })).status, 201)
        assert.deepInclude((yield* ask("GET", "/health")).json, { board: "ok" })
        const well = yield* runConsole({ directory, args: ["doctor"], variables })
        assert.match(well.stdout, /✓ Board +Shared with other consoles/)

        // Changed under a running console, which loses its connections.
        yield* psql(
          "ALTER ROLE console PASSWORD 'another'",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'agent-console%'"
        )
        yield* Effect.promise(async () => {
          while ((await call("GET", `${url}/api/kanban/tasks`)).status !== 503) await delay(50)
        })
        yield* ask("GET", "/api/kanban/tasks")
        yield* refusedBoard
        yield* psql(`ALTER ROLE console PASSWORD '${PASSWORD}'`)
        yield* works

        yield* Scope.close(scope, Exit.void)
        const { stderr, stdout } = yield* Effect.promise(() => running.ended)
        assert.include(stdout + stderr, `The board can't be used: ${WRONG}`)
        for (const secret of [PASSWORD, "postgres://", `:${pg.port}`]) {
          assert.notInclude(`${stdout}${stderr}${answers}${unwell.stdout}${unwell.stderr}${well.stdout}`, secret)
        }
      }),
    120_000
  )
})
