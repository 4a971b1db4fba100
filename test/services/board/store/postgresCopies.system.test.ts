import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { boardDatabaseVersion } from "../../../../src/services/board/store/preparePostgres.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, type PostgresServer, postgresServer } from "../../../support/postgres.ts"
import { tcpProxy } from "../../../support/tcpProxy.ts"
import { atLast, eventually, sharedBoard } from "../sharedBoard.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

const server = (of?: PostgresServer) =>
  Effect.flatMap(Effect.promise(freePort), (port) => postgresServer(port, false, of))

const sentence = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

/** Waits until a statement prints this. */
const says = (pg: PostgresServer, statement: string, wanted: string): Effect.Effect<void> =>
  Effect.promise(() => pg.psql("postgres", statement)).pipe(
    Effect.flatMap((text) =>
      text === wanted ? Effect.void : Effect.andThen(Effect.sleep("50 millis"), says(pg, statement, wanted))
    )
  )

describe.skipIf(!hasPostgres)(`a board's database with a copy (${NEEDS_POSTGRES})`, () => {
  it.live(
    "is refused in a sentence where it only allows reading, and loses nothing when the copy takes its place",
    () =>
      Effect.gen(function* () {
        const primary = yield* server()
        const copy = yield* server(primary)
        yield* says(primary, "SELECT state FROM pg_stat_replication", "streaming")
        // Acknowledged only once the copy has it.
        yield* Effect.promise(() =>
          primary.psql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        )
        yield* says(primary, "SELECT sync_state FROM pg_stat_replication", "sync")

        const proxy = yield* tcpProxy(primary.port)
        const { board, store, told } = yield* sharedBoard(primary.url("postgres", proxy.port))
        const tasks = yield* Effect.forEach(["a", "b", "c"], (title) => board.create({ title }))
        const onCopy = yield* sharedBoard(copy.url("postgres"), "on the copy")
        assert.include(yield* sentence(onCopy.board.list(everything)), "read-only")
        assert.include(yield* sentence(onCopy.board.create({ title: "No" })), "read-only")

        const acknowledged = new Map(tasks.map(({ id, version }) => [id, version]))
        let count = 0
        const write = (id: string) =>
          Effect.forever(
            Effect.gen(function* () {
              const version = acknowledged.get(id) ?? 0
              const answer = yield* Effect.result(board.patch(id, { version, title: `${version + 1}` }))
              if (answer._tag === "Success") {
                acknowledged.set(id, answer.success.version)
                count += 1
              } else if (answer.failure._tag === "VersionConflict") {
                // A change without an answer was made.
                acknowledged.set(id, answer.failure.latest.version)
              } else yield* Effect.sleep("50 millis")
            })
          )
        const writers = yield* Effect.forkChild(
          Effect.forEach(tasks, ({ id }) => write(id), { concurrency: "unbounded" })
        )
        yield* eventually(() => count > 30)
        yield* Effect.promise(() => primary.kill())
        // Clients are led to the copy before it's allowed to write.
        proxy.aim(copy.port)
        proxy.cut()
        yield* atLast(
          Effect.filterOrFail(store.shared?.problem ?? Effect.undefined, (text) => text?.includes("primary") === true)
        )
        const before = count
        yield* Effect.promise(() => copy.promote())
        yield* eventually(() => count > before + 30)
        yield* Fiber.interrupt(writers)

        const last = yield* atLast(board.create({ title: "The end" }))
        assert.strictEqual((yield* atLast(onCopy.board.get(last.id))).title, "The end")
        for (const [id, version] of acknowledged) assert.isAtLeast((yield* board.get(id)).version, version)
        yield* eventually(() => told.at(-1)?.kind === "task" && told.at(-1)?.id === last.id)
        for (const { id } of tasks) {
          const heard = told.flatMap((one) => (one.kind === "task" && one.id === id ? [one.version] : []))
          assert.deepStrictEqual(
            heard,
            heard.map((_, index) => index + 1),
            "each change was told once, in order"
          )
          assert.strictEqual(heard.at(-1), (yield* board.get(id)).version)
        }
      }),
    90_000
  )

  it.live("is left where it became read-only and keeps its connections, as soon as its address leads elsewhere", () =>
    Effect.gen(function* () {
      const primary = yield* server()
      const proxy = yield* tcpProxy(primary.port)
      const { board, store } = yield* sharedBoard(primary.url("postgres", proxy.port))
      const task = yield* board.create({ title: "T" })
      const problem = store.shared?.problem ?? Effect.undefined
      assert.isUndefined(yield* problem)
      const copy = yield* server(primary)
      yield* Effect.promise(() => copy.promote())
      yield* Effect.promise(() =>
        primary.psql("postgres", "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
      )
      yield* says(primary, "SHOW default_transaction_read_only", "on")

      // Nobody writes, and reading goes on.
      yield* atLast(Effect.filterOrFail(problem, (text) => text?.includes("read-only") === true))
      yield* atLast(board.get(task.id))
      assert.include(yield* atLast(Effect.filterOrFail(problem, (text) => text !== undefined)), "read-only")
      assert.include(yield* sentence(boardDatabaseVersion(Redacted.make(primary.url("postgres")))), "read-only")

      proxy.aim(copy.port)
      const changed = yield* atLast(board.patch(task.id, { version: 1, title: "On the copy" }))
      assert.strictEqual(changed.version, 2)
      assert.include(
        yield* Effect.promise(() => copy.psql("postgres", "SELECT title FROM agent_console.tasks")),
        "On the copy"
      )
      assert.isUndefined(yield* problem)
    })
  )

  it.live("that has lost changes is shown as it is, not as it was", () =>
    Effect.gen(function* () {
      const primary = yield* server()
      const proxy = yield* tcpProxy(primary.port)
      const { board, told } = yield* sharedBoard(primary.url("postgres", proxy.port))
      const task = yield* board.create({ title: "T" })
      const copy = yield* server(primary)
      yield* Effect.promise(() => copy.promote())
      yield* board.patch(task.id, { version: 1, title: "Only on the first one" })
      assert.include(yield* board.listText(everything), "Only on the first one")

      yield* Effect.promise(() => primary.kill())
      proxy.aim(copy.port)
      proxy.cut()
      const kept = yield* atLast(board.patch(task.id, { version: 1, title: "On the second one" }))
      assert.strictEqual(kept.version, 2)
      const text = yield* board.listText(everything)
      assert.include(text, "On the second one")
      assert.notInclude(text, "Only on the first one")
      yield* eventually(() => JSON.stringify(told.at(-1)).includes("On the second one"))
    })
  )
})
