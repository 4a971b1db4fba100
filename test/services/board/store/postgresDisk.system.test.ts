import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fillDisk, makeRoom } from "../../../support/diskFill.ts"
import { canMount } from "../../../support/ownMounts.ts"
import { hasPostgres, NEEDS_POSTGRES } from "../../../support/postgres.ts"
import { smallPostgres } from "../../../support/smallPostgres.ts"
import { atLast, sharedBoard } from "../sharedBoard.ts"

/** Text that can't be made smaller. */
const noise = () => randomBytes(7000).toString("base64")

describe.skipIf(!hasPostgres || !canMount)(
  `a board's database whose disk is full (${NEEDS_POSTGRES} and mounts of its own)`,
  () => {
    for (const small of ["tables", "log"] as const) {
      it.live(
        `of its ${small} refuses changes in a sentence, keeps what it acknowledged, and goes on when there's room`,
        () =>
          Effect.gen(function* () {
            const pg = yield* smallPostgres(small)
            const { board } = yield* sharedBoard(pg.url)
            const first = yield* atLast(board.create({ title: "First" }))
            const made = new Map([[first.id, first]])
            yield* Effect.sync(() => fillDisk(pg.disk))
            const sentence = yield* Effect.flip(
              Effect.forever(
                Effect.map(board.create({ title: "More", description: noise() }), (task) => made.set(task.id, task))
              )
            )
            assert.deepInclude(sentence, { _tag: "StoreError", reason: "unavailable" })
            assert.match(sentence.message, small === "tables" ? /no space left/ : /no space left|can't be reached/)
            if (small === "tables") assert.deepStrictEqual(yield* atLast(board.get(first.id)), first)

            yield* Effect.sync(() => makeRoom(pg.disk))
            const last = yield* atLast(board.create({ title: "Last", description: noise() }))
            for (const [id, task] of made.set(last.id, last)) {
              assert.strictEqual((yield* board.get(id)).description, task.description)
            }
          }),
        90_000
      )
    }
  }
)
