import { type MessagePort, parentPort } from "node:worker_threads"
// Imported from its own module, so a thread starts without the rest of the library.
import * as Result from "effect/Result"
import type { StoreFault } from "../sqlite/storeFault.ts"
import type { EndThread, Operations, ThreadAsk, ThreadOutcome } from "./threadMessages.ts"

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
