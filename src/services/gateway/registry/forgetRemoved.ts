import { Effect, Layer, Result } from "effect"
import { Sqlite } from "../../platform/sqlite/Sqlite.ts"
import { forgetGateway } from "../feed/feedPosition.ts"
import { EveryGateway } from "./EveryGateway.ts"

/** One that gets the id of a removed gateway may be another one: nothing of it was read yet. */
export const forgetRemoved = Layer.effectDiscard(
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const every = yield* EveryGateway
    yield* every.onRemoved((id) =>
      sqlite.transaction((db) => Result.succeed(forgetGateway(db, id))).pipe(Effect.ignore({ log: "Warn" }))
    )
  })
)
