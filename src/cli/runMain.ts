import { Cause, Effect, Exit, Option, Runtime } from "effect"
import { CommandFailure } from "./CommandFailure.ts"
import { exitCodes } from "./exitCodes.ts"

/** How long things get to close after a signal. What's still open then is cut off. */
const CLOSE_WITHIN_MS = 900

/** How long Node gets to exit by itself once nothing is left to do. */
const END_WITHIN_MS = 100

/** Whether the program may take as long as it needs to shut down after a signal. */
let isUnbounded = false

/**
 * From here on the first signal is only a request to stop: work in progress, such as the rollback of an update, is
 * finished however long it takes. A second Ctrl-C still exits at once.
 */
export const allowUnboundedShutdown = Effect.sync(() => {
  isUnbounded = true
})

/** The terminal and the parent npm process both forward one Ctrl-C. Two signals within this time count as one. */
const SAME_KEYSTROKE_MS = 400

/** A server stopped by a signal is done; any other program was cut off. */
const signalCodes = () => ({
  SIGTERM: isUnbounded ? exitCodes.terminated : exitCodes.ok,
  SIGINT: exitCodes.interrupted,
  SIGHUP: exitCodes.hangup,
  SIGQUIT: exitCodes.quit
})

const ignore = () => {}

const report = (cause: Cause.Cause<unknown>): number => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure) && failure.value instanceof CommandFailure) {
    if (failure.value.message !== "") process.stderr.write(`agent-console: ${failure.value.message}\n`)
    return failure.value.exitCode
  }
  process.stderr.write(`agent-console stopped because of an internal error.\n${Cause.pretty(cause)}\n`)
  return exitCodes.unexpected
}

/** Calls later unless the process has exited by then; the timer doesn't keep it alive. */
const later = (milliseconds: number, call: () => void): void => {
  AbortSignal.timeout(milliseconds).addEventListener("abort", call, { once: true })
}

/**
 * Lets the process end by itself if nothing keeps it alive. `process.exit` waits for V8's threads without notifying
 * them: if one is compiling and waits for the main thread to collect garbage, both wait forever.
 */
const end = (code: number): void => {
  process.exitCode = code
  later(END_WITHIN_MS, () => process.exit(code))
}

/**
 * Runs a program as the process. The first SIGTERM, SIGINT, SIGHUP or SIGQUIT closes everything it owns and exits with 0,
 * 130, 129 or 131, after 900 ms at most unless the program asked for more (`allowUnboundedShutdown`). A second SIGINT exits at
 * once. A `CommandFailure` is printed as one line; anything else is a bug and printed in full.
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
        if (!isUnbounded) process.exit(code)
      })
      fiber.interruptUnsafe(fiber.id)
    } else if (signal === "SIGINT" && now - first.at > SAME_KEYSTROKE_MS) {
      process.exit(code)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  process.on("SIGHUP", onSignal)
  // Node would open its debugger to every user of this machine, and these two would end the process on the spot.
  if (process.env.NODE_ENV !== "development") process.on("SIGUSR1", ignore)
  process.on("SIGUSR2", ignore)
  process.on("SIGQUIT", onSignal)
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) end(first?.code ?? exitCodes.ok)
    else if (Cause.hasInterruptsOnly(exit.cause)) end(first?.code ?? exitCodes.interrupted)
    else end(report(exit.cause))
  })
})
