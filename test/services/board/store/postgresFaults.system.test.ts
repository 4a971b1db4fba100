import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { postgresMigrations } from "../../../../src/services/board/store/postgresSchema.ts"
import { serverProblem } from "../../../../src/services/board/store/preparePostgres.ts"
import { freePort } from "../../../support/freePort.ts"
import { hasPostgres, makePostgres, NEEDS_POSTGRES, PASSWORD, postgresServer } from "../../../support/postgres.ts"
import { tcpProxy } from "../../../support/tcpProxy.ts"
import { atLast, eventually, sharedBoard } from "../sharedBoard.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

const server = Effect.flatMap(Effect.promise(freePort), (port) => postgresServer(port))

/** The sentence of a board that can't be used; the test's time limit is far beyond the two seconds it has for that. */
const refused = <A, E extends { readonly _tag: string; readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.strictEqual(error._tag, "StoreError")
    assert.strictEqual("reason" in error ? error.reason : undefined, "unavailable")
    assert.notInclude(JSON.stringify(error), PASSWORD)
    assert.notInclude(String(error), "127.0.0.1")
    return error.message
  })

/** Asks a board until it's refused with these words: a busy server may need too long for the connection at first. */
const refusedWith = <A, E extends { readonly _tag: string; readonly message: string }>(
  effect: Effect.Effect<A, E>,
  words: string
): Effect.Effect<void, A> =>
  Effect.flatMap(refused(effect), (message) => {
    if (message.includes("can't be reached"))
      return Effect.andThen(Effect.sleep("100 millis"), refusedWith(effect, words))
    return Effect.sync(() => assert.include(message, words))
  })

it("a server that is too old, a copy or in another encoding is refused in a sentence", () => {
  assert.include(serverProblem({ version: 140_012, encoding: "UTF8", replica: false, direct: true }) ?? "", "14")
  assert.include(serverProblem({ version: 150_000, encoding: "UTF8", replica: true, direct: true }) ?? "", "primary")
  assert.include(serverProblem({ version: 150_000, encoding: "LATIN1", replica: false, direct: true }) ?? "", "UTF8")
  assert.include(
    serverProblem({ version: 150_000, encoding: "UTF8", replica: false, direct: false }) ?? "",
    "connection pooler"
  )
  assert.isUndefined(serverProblem({ version: 180_001, encoding: "UTF8", replica: false, direct: true }))
})

describe.skipIf(!hasPostgres)(`a board's database (${NEEDS_POSTGRES})`, () => {
  it.live("that is down at the start, is killed and comes back is used again, and no event is missed", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const early = yield* sharedBoard(`postgres://console@127.0.0.1:${port}/postgres`)
      assert.include(yield* refused(early.board.list(everything)), "can't be reached")
      assert.include(yield* refused(early.board.create({ title: "Too early" })), "can't be reached")
      assert.isDefined(yield* early.store.shared?.problem ?? Effect.undefined)
      const pg = yield* Effect.acquireRelease(
        Effect.promise(() => makePostgres(port, true)),
        (made) => Effect.promise(() => made.remove())
      )
      yield* Effect.promise(() => pg.start())
      const first = yield* atLast(early.board.create({ title: "At last" }))
      const other = yield* sharedBoard(pg.url("postgres"), "second")
      assert.deepStrictEqual((yield* other.board.list(everything)).items, [first])
      yield* eventually(() => early.told.length === 1)
      for (const how of ["kill", "restart"]) {
        if (how === "kill") yield* Effect.promise(() => pg.kill())
        else yield* Effect.promise(() => pg.stop("fast"))
        assert.include(yield* refused(other.board.get(first.id)), "can't be reached")
        yield* Effect.promise(() => pg.start())
        const { version } = yield* atLast(other.board.get(first.id))
        yield* atLast(other.board.patch(first.id, { version, title: how }))
      }
      yield* eventually(() => early.told.length === 3 && other.told.length === 2)
      assert.deepStrictEqual(early.told.slice(1), other.told)
      assert.strictEqual((yield* atLast(early.board.get(first.id))).title, "restart")
      assert.isUndefined(yield* early.store.shared?.problem ?? Effect.undefined)
    })
  )

  it.live(
    "behind a network that falls silent, is slow or is cut in the middle of a change",
    () =>
      Effect.gen(function* () {
        const pg = yield* server
        const proxy = yield* tcpProxy(pg.port)
        const near = yield* sharedBoard(pg.url("postgres"), "near")
        const far = yield* sharedBoard(pg.url("postgres", proxy.port), "far")
        yield* near.board.config
        const task = yield* far.board.create({ title: "T" })

        proxy.become({ delayMs: 60 })
        const slow = yield* far.board.patch(task.id, { version: 1, title: "slow" })
        assert.strictEqual(slow.version, 2)

        proxy.become("silent")
        const waiting = Array.from({ length: 20 }, () => refused(far.board.list(everything)))
        for (const sentence of yield* Effect.all(waiting, { concurrency: "unbounded" })) {
          assert.include(sentence, "can't be reached")
        }
        assert.include(yield* refused(far.board.patch(task.id, { version: 2, title: "lost" })), "can't be reached")
        // Others go on meanwhile: nothing that fell silent holds the board.
        const version = (yield* atLast(near.board.patch(task.id, { version: 2, title: "near" }))).version
        proxy.become("fair")
        proxy.cut()
        assert.strictEqual((yield* atLast(far.board.get(task.id))).version, version)
        yield* eventually(() => far.told.length === 3)
        assert.deepStrictEqual(far.told, near.told)

        let before = yield* far.board.get(task.id)
        // From its first statement to its commit, and beyond.
        for (let turn = 0; turn < 12; turn += 1) {
          proxy.cut(turn + 1)
          yield* Effect.exit(far.board.patch(task.id, { version: before.version, title: `cut ${turn}` }))
          // Applied or not, it's whole: the next reader sees one of the two.
          const after = yield* atLast(far.board.get(task.id))
          if (after.version !== before.version) {
            assert.deepStrictEqual([after.version, after.title], [before.version + 1, `cut ${turn}`])
          } else assert.deepStrictEqual(after, before)
          before = after
        }
        const { version: at } = before
        yield* eventually(() => far.told.length === near.told.length && far.told.at(-1)?.version === at)
        assert.deepStrictEqual(far.told, near.told)
      }),
    90_000
  )

  it.live("that refuses says why, and the console uses it as soon as it doesn't", () =>
    Effect.gen(function* () {
      const pg = yield* server
      const run = (...statements: ReadonlyArray<string>) => Effect.promise(() => pg.psql("postgres", ...statements))
      yield* run("CREATE DATABASE team", "CREATE ROLE poor LOGIN", "CREATE ROLE few LOGIN CONNECTION LIMIT 0")
      const as = (user: string, database = "team") => sharedBoard(`postgres://${user}@127.0.0.1:${pg.port}/${database}`)
      const missing = yield* as("console", "nothing")
      yield* refusedWith(missing.board.config, "no database")
      const poor = yield* as("poor")
      yield* refusedWith(poor.board.config, "own the board's schema")
      const few = yield* as("few")
      yield* refusedWith(few.board.config, "no connection left")

      const { board } = yield* as("console")
      const task = yield* atLast(board.create({ title: "T" }))
      yield* run("ALTER DATABASE team SET default_transaction_read_only = on")
      const second = yield* as("console")
      yield* refusedWith(second.board.create({ title: "No" }), "read-only")
      assert.strictEqual((yield* atLast(second.board.get(task.id))).title, "T")
      yield* run("ALTER DATABASE team SET default_transaction_read_only = off")

      yield* Effect.promise(() =>
        pg.psql("team", `UPDATE agent_console.board_schema SET number = ${postgresMigrations.length + 1}`)
      )
      const newer = yield* as("console")
      yield* refusedWith(newer.board.config, "newer version")
      yield* Effect.promise(() =>
        pg.psql("team", `UPDATE agent_console.board_schema SET number = ${postgresMigrations.length}`)
      )
      assert.strictEqual((yield* atLast(newer.board.get(task.id))).title, "T")
    })
  )

  it.live("that is locked by somebody refuses writers in time and lets readers read", () =>
    Effect.gen(function* () {
      const pg = yield* server
      const { board } = yield* sharedBoard(pg.url("postgres"))
      const task = yield* atLast(board.create({ title: "T" }))
      const lock = "BEGIN; SELECT * FROM agent_console.board_state FOR UPDATE; SELECT pg_sleep(4); COMMIT"
      const held = yield* Effect.forkChild(Effect.promise(() => pg.psql("postgres", lock)))
      yield* Effect.sleep("300 millis")
      assert.include(yield* refused(board.patch(task.id, { version: 1, title: "No" })), "the board's database")
      assert.strictEqual((yield* board.get(task.id)).version, 1)
      yield* Fiber.join(held)
      assert.strictEqual((yield* atLast(board.patch(task.id, { version: 1, title: "Yes" }))).version, 2)
    })
  )

  it.live("is made once when three consoles start at the same time", () =>
    Effect.gen(function* () {
      const pg = yield* server
      const consoles = yield* Effect.forEach(["a", "b", "c"], (name) => sharedBoard(pg.url("postgres"), name))
      const made = yield* Effect.forEach(consoles, ({ board }, index) => board.create({ title: `${index}` }), {
        concurrency: "unbounded"
      })
      assert.lengthOf(new Set(made.map(({ id }) => id)), 3)
      for (const { told } of consoles) yield* eventually(() => told.length >= 1)
      assert.strictEqual((yield* consoles[0]?.board.list(everything) ?? Effect.undefined)?.total, 3)
    })
  )
})
