import { Cause, Effect, Exit, Option, Runtime } from "effect"
import { exitCodes } from "./exitCodes.ts"
import { mayTakeItsTime } from "./patience.ts"
import { Stop } from "./Stop.ts"

/** Longest wait for things to close after a signal; what is still open then is cut off (DESIGN "Who owns what"). */
const CLOSE_WITHIN = "900 millis"

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
      Effect.runFork(
        Effect.delay(
          Effect.sync(() => {
            if (!mayTakeItsTime()) process.exit(code)
          }),
          CLOSE_WITHIN
        )
      )
      fiber.interruptUnsafe(fiber.id)
    } else if (signal === "SIGINT" && now - first.at > SAME_KEYSTROKE_MS) {
      process.exit(code)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  process.on("SIGHUP", onSignal)
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) process.exit(first?.code ?? exitCodes.ok)
    if (Cause.hasInterruptsOnly(exit.cause)) process.exit(first?.code ?? exitCodes.interrupted)
    process.exit(report(exit.cause))
  })
})
