import { afterAll, beforeAll, describe } from "@effect/vitest"
import { type Context, Effect, Layer, type Scope } from "effect"
import { inject } from "vitest"
import type { BoardStore } from "../../../src/services/board/store/BoardStore.ts"
import type { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import type { Sqlite, StoreError } from "../../../src/services/platform/sqlite/Sqlite.ts"
import { boardInMemory, boardOnServer } from "../../support/boardStores.ts"
import { freePort } from "../../support/freePort.ts"
import { hasPostgres, makePostgres, NEEDS_POSTGRES, type PostgresServer } from "../../support/postgres.ts"
import { boardWorldOn } from "./boardWorld.ts"
import { type FakeGateway, makeFakeGateway } from "./fakeGateway.ts"

/** What a board stands on: an empty store of the kind under test. */
export type BoardBase = Effect.Effect<Context.Context<BoardStore | Sqlite | EventBus>, StoreError, Scope.Scope>

const worldOn = (base: BoardBase) => ({
  base,
  makeBoardWorld: Effect.fnUntraced(function* (given?: FakeGateway) {
    const gateway = given ?? (yield* makeFakeGateway)
    return yield* boardWorldOn(gateway, yield* base)
  })
})

/** Only an end for what hangs: a busy machine takes a minute for what is done in one second otherwise. */
const ON_SERVER_MS = 120_000

type Tests = (store: ReturnType<typeof worldOn>) => void

/**
 * Runs the same tests on a board in SQLite as unit tests, and on one in PostgreSQL as system tests; each test on an
 * empty board.
 */
export const onEveryStore = (subject: string, tests: Tests): void => {
  if (inject("boardStore") === "SQLite") {
    describe(`${subject} (SQLite)`, () => tests(worldOn(Layer.build(boardInMemory))))
    return
  }
  const title = `${subject} (PostgreSQL; ${NEEDS_POSTGRES})`
  describe.skipIf(!hasPostgres)(title, { timeout: ON_SERVER_MS }, () => {
    let server: PostgresServer | undefined
    let count = 0
    beforeAll(async () => {
      server = await makePostgres(await freePort())
      await server.start()
    }, ON_SERVER_MS)
    afterAll(() => server?.remove(), ON_SERVER_MS)
    const base = Effect.suspend(() => {
      count += 1
      const name = `board_${count}`
      const url = server?.url(name) ?? ""
      return Effect.promise(async () => server?.psql("postgres", `CREATE DATABASE ${name}`)).pipe(
        Effect.andThen(boardOnServer(url))
      )
    })
    tests(worldOn(base))
  })
}
