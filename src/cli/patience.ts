import { Effect } from "effect"

let isPatient = false

/** Whether the program may take as long as it needs to end after a signal. */
export const mayTakeItsTime = (): boolean => isPatient

/**
 * From here on the first signal only asks the program to end: what it has begun, such as the way back of an update, is
 * finished however long it takes. A second Ctrl-C still ends it at once.
 */
export const takeTimeToEnd = Effect.sync(() => {
  isPatient = true
})
