import { Effect, Schema } from "effect"
import { Published } from "../../src/services/board/boardEvents.ts"
import type { BoardStoreShape } from "../../src/services/board/store/BoardStore.ts"

const Text = Schema.fromJsonString(Published)
const textOf = Schema.encodeSync(Text)
/** The event for its subscribers, independent of the order of its keys. */
const textOfTold = (told: object) => textOf(Schema.decodeSync(Text)(JSON.stringify(told)))

const atRest = new WeakMap<BoardStoreShape, () => boolean>()

/** Whether a store has completed all requests, and its subscriber has received everything it published. */
export const isAtRest = (store: BoardStoreShape): boolean => atRest.get(store)?.() ?? true

/** A store on a server with asynchronous responses: `isAtRest` is true when none is pending. */
export const tellingRest = (store: BoardStoreShape): BoardStoreShape => {
  let asked = 0
  let isFollowed = false
  let unheard: ReadonlyArray<string> = []
  const forget = (text: string) => {
    const index = unheard.indexOf(text)
    if (index >= 0) unheard = unheard.toSpliced(index, 1)
  }
  const counted = <A, E>(ask: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        asked += 1
      }),
      () => ask,
      () =>
        Effect.sync(() => {
          asked -= 1
        })
    )
  const telling: BoardStoreShape = {
    ...store,
    mutate: (body) =>
      Effect.suspend(() => {
        let text: string | undefined
        return store
          .mutate((db, now) =>
            Effect.tap(body(db, now), ({ value: _value, ...told }) =>
              Effect.sync(() => {
                if (!isFollowed || told.changes.length + told.runs.length === 0) return
                text = textOfTold(told)
                unheard = [...unheard, text]
              })
            )
          )
          .pipe(
            Effect.onError(() =>
              Effect.sync(() => {
                if (text !== undefined) forget(text)
              })
            )
          )
      }).pipe(counted),
    read: (body) => counted(store.read(body)),
    follow: Effect.fnUntraced(function* (heard) {
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          isFollowed = true
        }),
        () =>
          Effect.sync(() => {
            isFollowed = false
            unheard = []
          })
      )
      yield* store.follow((published) =>
        Effect.ensuring(
          heard(published),
          Effect.sync(() => forget(textOf(published)))
        )
      )
    })
  }
  atRest.set(telling, () => asked === 0 && unheard.length === 0)
  return telling
}
