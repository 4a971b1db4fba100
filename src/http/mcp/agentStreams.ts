import { Deferred, Effect, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"

/** As many as sessions: whoever opens one more ends the oldest. */
const MOST_OF_ONE = 20

type Ending = Deferred.Deferred<void>

/** The answers of agents that stay open. */
export const makeAgentStreams = () => {
  const streams = new Map<string, Set<Ending>>()

  const end = (ending: Ending): void => {
    Deferred.doneUnsafe(ending, Effect.void)
  }

  const add = (owner: string): Ending => {
    const ending = Deferred.makeUnsafe<void>()
    const all = streams.get(owner) ?? new Set()
    streams.set(owner, all.add(ending))
    if (all.size > MOST_OF_ONE) {
      for (const oldest of all) {
        all.delete(oldest)
        end(oldest)
        break
      }
    }
    return ending
  }

  const remove = (owner: string, ending: Ending): void => {
    const all = streams.get(owner)
    all?.delete(ending)
    if (all?.size === 0) streams.delete(owner)
  }

  return {
    /** Ends an answer that stays open with its owner's token; any other one is left as it is. */
    bound: Effect.fnUntraced(function* (owner: string, response: HttpServerResponse.HttpServerResponse) {
      const { body } = response
      if (body._tag !== "Stream") return response
      const ending = yield* Effect.acquireRelease(
        Effect.sync(() => add(owner)),
        (added) => Effect.sync(() => remove(owner, added))
      )
      const stream = Stream.interruptWhen(body.stream, Deferred.await(ending))
      return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
    }),
    /** Ends all of an owner's. */
    endAll: (owner: string): void => {
      for (const ending of streams.get(owner) ?? []) end(ending)
    },
    /** Who has some open. */
    owners: (): Iterable<string> => streams.keys()
  }
}
