import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { withoutEvents } from "../../../../src/services/board/boardEvents.ts"
import { BoardStore } from "../../../../src/services/board/store/BoardStore.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("a statement", ({ base }) => {
  it.effect("runs when its effect is run, as often as that is, not when it's made", () =>
    Effect.gen(function* () {
      const store = Context.get(yield* base, BoardStore)
      yield* store.mutate((db) =>
        Effect.as(db.run("CREATE TABLE notes (text TEXT NOT NULL)"), withoutEvents(undefined))
      )
      yield* store.mutate((db) =>
        Effect.gen(function* () {
          const add = (text: string) => db.run("INSERT INTO notes VALUES (?)", text)
          const never = add("never")
          const twice = add("twice")
          assert.isDefined(never)
          yield* twice
          yield* twice
          return withoutEvents(undefined)
        })
      )
      const found = yield* store.read((db) => {
        const later = db.rows("SELECT text FROM notes")
        return Effect.andThen(db.rows("SELECT 1"), later)
      })
      assert.deepStrictEqual(found, [["twice"], ["twice"]])
    })
  )
})
