import { Cause, type Effect, Exit, Option, Runtime } from "effect"
import { exitCodes } from "./exitCodes.ts"
import { mayTakeItsTime } from "./patience.ts"
import { Stop } from "./Stop.ts"

/** Longest wait for things to close after a signal; what is still open then is cut off (DESIGN "Who owns what"). */
const CLOSE_WITHIN_MS = 900

/** How long Node may take to end by itself once nothing is left to do. */
const END_WITHIN_MS = 100

/** A terminal and the npm process above it both pass one Ctrl-C on; within this time two signals are one. */
const SAME_KEYSTROKE_MS = 400

/** A server that is asked to end is done; a program that takes its time was cut off. */
const signalCodes = () => ({
  SIGTERM: mayTakeItsTime() ? exitCodes.terminated : exitCodes.ok,
  SIGINT: exitCodes.interrupted,
  SIGHUP: exitCodes.hangup
})

const report = (cause: Cause.Cause<unknown>): number => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure) && failure.value instanceof Stop) {
    if (failure.value.message !== "") process.stderr.write(`agent-console: ${failure.value.message}\n`)
    return failure.value.exitCode
  }
  process.stderr.write(`agent-console stopped because of an internal error.\n${Cause.pretty(cause)}\n`)
  return exitCodes.unexpected
}

/** Calls later unless the process has ended by then: the timer of such a signal does not hold it up. */
const later = (milliseconds: number, call: () => void): void => {
  AbortSignal.timeout(milliseconds).addEventListener("abort", call, { once: true })
}

/**
 * Ends the process, by itself where nothing holds it. `process.exit` waits for V8's threads without telling them: one
 * that compiles and waits for the main thread to collect garbage waits for good then, and so does the process.
 */
const end = (code: number): void => {
  process.exitCode = code
  later(END_WITHIN_MS, () => process.exit(code))
}

/**
 * Runs a program as the process: the first SIGTERM, SIGINT or SIGHUP closes everything it owns and ends with 0, 130 or
 * 129, at the latest after 900 ms unless the program asked for more (`takeTimeToEnd`); a second SIGINT ends at once. A
 * `Stop` is printed as one line, everything else is a bug and printed whole.
 */
export const runMain = <A, E>(program: Effect.Effect<A, E>): void => main(program, { disableErrorReporting: true })

const main = Runtime.makeRunMain(({ fiber }) => {
  let first: { readonly code: number; readonly at: number } | undefined
  const onSignal = (signal: keyof ReturnType<typeof signalCodes>) => {
    const code = signalCodes()[signal]
    const now = performance.now()
    if (first === undefined) {
      first = { code, at: now }
      later(CLOSE_WITHIN_MS, () => {
        if (!mayTakeItsTime()) process.exit(code)
      })
      fiber.interruptUnsafe(fiber.id)
    } else if (signal === "SIGINT" && now - first.at > SAME_KEYSTROKE_MS) {
      process.exit(code)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  process.on("SIGHUP", onSignal)
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) end(first?.code ?? exitCodes.ok)
    else if (Cause.hasInterruptsOnly(exit.cause)) end(first?.code ?? exitCodes.interrupted)
    else end(report(exit.cause))
  })
})
