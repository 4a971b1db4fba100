import { Effect } from "effect"
import type { ConsoleProcess } from "./runConsole.ts"

/** Resolves when stdout matches; dies when the process ended before. */
export const printed = (running: ConsoleProcess, pattern: RegExp) =>
  Effect.callback<RegExpExecArray>((resume) => {
    const look = () => {
      const match = pattern.exec(running.stdout())
      if (match !== null) resume(Effect.succeed(match))
    }
    running.child.stdout?.on("data", look)
    running.ended.then((ended) => resume(Effect.die(new Error(`ended with ${ended.code}: ${ended.stderr}`))))
    look()
  })

/** The address of a console, once it's open. */
export const addressOf = (running: ConsoleProcess) =>
  Effect.map(printed(running, /Open +(http:\S+)/), ([, url]) => url ?? "")
