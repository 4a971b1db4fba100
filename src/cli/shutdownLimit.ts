import { Effect } from "effect"

let isUnbounded = false

/** Whether the program may take as long as it needs to shut down after a signal. */
export const isShutdownUnbounded = (): boolean => isUnbounded

/**
 * From here on the first signal is only a request to stop: work in progress, such as the rollback of an update, is
 * finished however long it takes. A second Ctrl-C still exits at once.
 */
export const allowUnboundedShutdown = Effect.sync(() => {
  isUnbounded = true
})
