import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { Data, Effect, Schedule } from "effect"
import { freePort } from "../../support/freePort.ts"
import { PROJECT_ROOT } from "./projectRoot.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

export class ConsoleStartError extends Data.TaggedError("ConsoleStartError")<{ readonly message: string }> {}

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  })

/**
 * Runs the console, which the global set-up has built, as its own process, with settings of its own and nothing from this machine, and waits until it
 * serves. It is stopped with the scope.
 */
export const startConsole = Effect.fnUntraced(function* (variables: Readonly<Record<string, string>>) {
  const home = yield* temporaryDirectory
  const port = yield* Effect.promise(freePort)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(PROJECT_ROOT, "dist/cli.js")], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, PORT: String(port), ...variables },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    stop
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4000)
    })
  }
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}/api/version`).then((answer) => answer.text())).pipe(
    Effect.retry({
      schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "15 seconds" })),
      while: () => child.exitCode === null
    }),
    Effect.mapError(() => new ConsoleStartError({ message: `the console did not start:\n${output}` }))
  )
  return { url, port }
})
