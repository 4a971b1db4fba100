import { Deferred, Effect } from "effect"
import { decodeErrorBody, type ErrorBody, type ResponseFrame } from "./gatewayFrames.ts"

/** Why a call has no payload: the gateway refused, or the connection ended first. */
export type CallFailure =
  | { readonly _tag: "Refused"; readonly error: ErrorBody }
  | { readonly _tag: "Lost"; readonly end: number | "silent" }

/** One connection's calls that are waiting for a response. */
export interface PendingCalls {
  /** Sends a request and waits for its first response. Interrupting it drops the call. */
  readonly call: (method: string, params: object) => Effect.Effect<unknown, CallFailure>
  /** Delivers a response to its call; late, repeated and unknown ones are dropped. */
  readonly settle: (response: ResponseFrame) => void
  /** Fails all waiting and later calls. Only the first end counts. */
  readonly end: (end: number | "silent") => void
}

/** A new table of calls over `send`. Ids are unique within it. */
export const makePendingCalls = (send: (text: string) => void): PendingCalls => {
  const waiting = new Map<string, Deferred.Deferred<unknown, CallFailure>>()
  let issued = 0
  let lost: CallFailure | undefined
  return {
    call: (method, params) =>
      Effect.suspend(() => {
        if (lost !== undefined) return Effect.fail(lost)
        issued += 1
        const id = String(issued)
        const answer = Deferred.makeUnsafe<unknown, CallFailure>()
        waiting.set(id, answer)
        send(JSON.stringify({ type: "req", id, method, params }))
        return Deferred.await(answer).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(id))))
      }),
    settle: (response) => {
      const answer = waiting.get(response.id)
      if (answer === undefined) return
      waiting.delete(response.id)
      Deferred.doneUnsafe(
        answer,
        response.ok
          ? Effect.succeed(response.payload)
          : Effect.fail({ _tag: "Refused", error: decodeErrorBody(response.error) })
      )
    },
    end: (end) => {
      if (lost !== undefined) return
      lost = { _tag: "Lost", end }
      for (const answer of waiting.values()) Deferred.doneUnsafe(answer, Effect.fail(lost))
      waiting.clear()
    }
  }
}
