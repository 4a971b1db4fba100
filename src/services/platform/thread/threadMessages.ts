import { type MessagePort, parentPort } from "node:worker_threads"
// Imported from its own module, so a thread starts without the rest of the library.
import * as Result from "effect/Result"
import type { StoreFault } from "../sqlite/storeFault.ts"

/** The operations of a thread by name; run one at a time, in order. */
export type Operations<Store> = { readonly [Name in keyof Store]: (...args: never) => unknown }

/** Any request to a thread, with its arguments. */
export type ThreadAsk<Store extends Operations<Store>> = {
  readonly [Name in keyof Store]: readonly [Name, ...Parameters<Store[Name]>]
}[keyof Store]

/** The request to end after those before it. */
export type EndThread = null

/** A thread's response to a request. */
export type ThreadOutcome<A> =
  | { readonly value: A }
  | { readonly fault: Omit<StoreFault, "cause"> & { readonly cause: string } }

const outcomeOf = (result: Result.Result<unknown, StoreFault>): ThreadOutcome<unknown> =>
  Result.isSuccess(result)
    ? { value: result.success }
    : { fault: { ...result.failure, cause: String(result.failure.cause) } }

interface Request<Store extends Operations<Store>> {
  readonly ask: ThreadAsk<Store>
  readonly port: MessagePort
}

/** Answers every request to this thread, in order, until it's asked to end. */
export const answerAsks = <Store extends Operations<Store>>(
  answer: (ask: ThreadAsk<Store>) => Result.Result<unknown, StoreFault>
): void => {
  parentPort?.on("message", (request: Request<Store> | EndThread) => {
    if (request === null) return parentPort?.close()
    const { ask, port } = request
    port.postMessage(outcomeOf(answer(ask)))
    port.close()
  })
}
