import { once } from "node:events"
import { Effect, Logger } from "effect"
import { Board } from "../../src/services/board/Board.ts"
import { onServer } from "./boardPlaces.ts"

/** A console of its own that changes its own cards, several at a time, as soon as it's told; says when it's ready and done. */
const [url = "", name = "", changes = "", atOnce = ""] = process.argv.slice(2)

const write = Effect.gen(function* () {
  const board = yield* Board
  const each = Math.ceil(Number(changes) / Number(atOnce))
  const cards = yield* Effect.forEach(Array.from({ length: Number(atOnce) }), (_, index) =>
    board.create({ title: `${name} ${index}` })
  )
  yield* Effect.sync(() => process.stdout.write("ready\n"))
  yield* Effect.promise(() => once(process.stdin, "data"))
  let refused = 0
  /** Its version afterwards; on a machine that can't keep up it's tried again, and that is counted. */
  const changed = (id: string, version: number, title: string): Effect.Effect<number> =>
    board.patch(id, { version, title }).pipe(
      Effect.map((task) => task.version),
      Effect.catch((error) => {
        if (error._tag === "VersionConflict") return Effect.succeed(error.latest.version)
        refused += 1
        return changed(id, version, title)
      })
    )
  yield* Effect.forEach(
    cards,
    Effect.fnUntraced(function* ({ id, version }) {
      let seen = version
      for (let index = 0; index < each; index += 1) {
        seen = yield* changed(id, seen, `${name} ${index}`)
      }
    }),
    { concurrency: "unbounded" }
  )
  yield* Effect.sync(() => process.stdout.write(`done ${refused}\n`))
})

await Effect.runPromise(
  write.pipe(Effect.provide(onServer(url, name)), Effect.scoped, Effect.provide(Logger.layer([])))
)
process.exit(0)
