import { setTimeout as delay, setImmediate } from "node:timers/promises"
import { Effect } from "effect"
import type { BoardStoreShape } from "../../../src/services/board/store/BoardStore.ts"
import { isAtRest } from "../../support/storeAtRest.ts"

/**
 * Lets forked fibers of a board go on once. A server's answers come from outside: the event loop has to turn for them,
 * and the server needs the processor, too.
 */
export const turnOf = (store: BoardStoreShape): Effect.Effect<void> =>
  store.shared === undefined
    ? Effect.yieldNow
    : Effect.asVoid(Effect.suspend(() => Effect.promise(isAtRest(store) ? () => setImmediate() : () => delay(1))))

/** Lets them go on until for so many turns nothing was left to do for the server, where there is one. */
export const settled = (store: BoardStoreShape, atRest: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let turns = 0; turns < atRest; turns = isAtRest(store) ? turns + 1 : 0) yield* turnOf(store)
  })
