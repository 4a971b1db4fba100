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

/** The dependencies of a board: an empty store of the kind under test. */
export type BoardBase = Effect.Effect<Context.Context<BoardStore | Sqlite | EventBus>, StoreError, Scope.Scope>

const worldOn = (base: BoardBase) => ({
  base,
  makeBoardWorld: Effect.fnUntraced(function* (given?: FakeGateway) {
    const gateway = given ?? (yield* makeFakeGateway)
    return yield* boardWorldOn(gateway, yield* base)
  })
})

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
  describe.skipIf(!hasPostgres)(`${subject} (PostgreSQL; ${NEEDS_POSTGRES})`, () => {
    let server: PostgresServer | undefined
    let count = 0
    beforeAll(async () => {
      server = await makePostgres(await freePort())
      await server.start()
    })
    afterAll(() => server?.remove())
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
